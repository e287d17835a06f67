package symbol

import (
	"slices"
	"strings"
)

// keywords are the reserved words of a language. Most words are none, and most
// of those are told by their first letter and length alone.
type keywords struct {
	lengths [128]uint32 // by first letter: a bit for every length
	words   [128][]string
}

func (k *keywords) has(name string) bool {
	c := name[0]
	return c < 128 && len(name) < 32 && k.lengths[c]&(1<<len(name)) != 0 && slices.Contains(k.words[c], name)
}

// reserve makes keywords of a list in words.
func reserve(list string) keywords {
	var k keywords
	for _, name := range strings.Fields(list) {
		c := name[0]
		k.words[c] = append(k.words[c], name)
		k.lengths[c] |= 1 << len(name)
	}
	return k
}

const (
	goKeywords = `break case chan const continue default defer else fallthrough for func go goto if import
		interface map package range return select struct switch type var nil true false iota`

	ecmaKeywords = `async await break case catch class const continue debugger default delete do else export
		extends false finally for function if import in instanceof let new null of return static super switch
		this throw true try typeof undefined var void while with yield`

	typeKeywords = ecmaKeywords + ` abstract any as asserts bigint boolean declare enum implements infer
		interface is keyof namespace never number object private protected public readonly satisfies string
		symbol type unknown`

	pythonKeywords = `False None True and as assert async await break class continue def del elif else
		except finally for from global if import in is lambda nonlocal not or pass raise return self cls
		try while with yield`

	rustKeywords = `as async await bool break char const continue crate dyn else enum extern f32 f64 false fn
		for i128 i16 i32 i64 i8 if impl in isize let loop match mod move mut pub ref return self Self static str
		struct super trait true type u128 u16 u32 u64 u8 union unsafe use usize where while`

	javaKeywords = `abstract assert boolean break byte case catch char class const continue default do double
		else enum extends final finally float for if implements import instanceof int interface long native new
		null package permits private protected public record return sealed short static strictfp super switch
		synchronized this throw throws transient true false try var void volatile while yield`

	kotlinKeywords = `abstract actual annotation as break by catch class companion const constructor continue
		crossinline data do else enum expect external false final finally for fun get if import in infix init
		inline inner interface internal is lateinit noinline null object open operator out override package
		private protected public reified return sealed set super suspend tailrec this throw true try typealias
		typeof val var vararg when where while`

	cKeywords = `alignas alignof auto bool break case char const constexpr continue default do double else enum
		extern false float for goto if inline int long nullptr register restrict return short signed sizeof
		static struct switch true typedef typeof union unsigned void volatile while _Alignas _Alignof _Atomic
		_Bool _Noreturn _Static_assert _Thread_local static_assert thread_local`

	cppKeywords = cKeywords + ` asm catch char8_t char16_t char32_t class co_await co_return co_yield concept
		consteval constinit const_cast decltype delete dynamic_cast explicit export final friend import module
		mutable namespace new noexcept operator override private protected public reinterpret_cast requires
		static_cast template this throw try typeid typename using virtual wchar_t`

	csharpKeywords = `abstract as async await base bool break byte case catch char checked class const continue
		decimal default delegate do double dynamic else enum event explicit extern false finally fixed float for
		foreach get global goto if implicit in init int interface internal is lock long namespace new null object
		operator out override params partial private protected public readonly record ref required return sbyte
		sealed set short sizeof stackalloc static string struct switch this throw true try typeof uint ulong
		unchecked unsafe ushort using value var virtual void volatile when where while with yield`

	rubyKeywords = `BEGIN END alias and begin break case class def defined? do else elsif end ensure false for
		if in module next nil not or redo rescue retry return self super then true undef unless until when while
		yield`

	phpKeywords = `abstract and array as bool break callable case catch class clone const continue declare
		default do echo else elseif empty enum extends false final finally float fn for foreach function global
		goto if implements include include_once instanceof insteadof int interface isset iterable list match
		mixed namespace never new null object or parent php print private protected public readonly require
		require_once return self static string switch this throw trait true try unset use var void while xor
		yield`

	swiftKeywords = `actor any as associatedtype async await break case catch class continue convenience
		default defer deinit do dynamic else enum extension fallthrough false fileprivate final for func get
		guard if import in indirect infix init inout internal is isolated lazy let mutating nil nonisolated
		nonmutating open operator optional override postfix precedencegroup prefix private protocol public
		repeat required rethrows return self Self set some static struct subscript super switch throw throws
		true try typealias unowned var weak where while`

	sqlLower = `add all alter and any as asc begin between by case cast check column commit constraint create
		cross default delete desc distinct drop else end except exists explain false fetch for foreign from full
		grant group having if in index inner insert intersect into is join key left like limit natural not null
		offset on or order outer primary references returning right rollback select set table then to true
		trigger union unique update using values view when where with`
)

// sqlKeywords are reserved in both cases.
func sqlKeywords() keywords { return reserve(sqlLower + " " + strings.ToUpper(sqlLower)) }
