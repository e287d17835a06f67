package mathml

import "strings"

// The tables of commands without arguments.

var operators = map[string]string{
	"sum": "∑", "prod": "∏", "coprod": "∐", "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "bigcup": "⋃",
	"bigcap": "⋂", "bigoplus": "⨁", "bigotimes": "⨂", "bigvee": "⋁", "bigwedge": "⋀", "le": "≤", "leq": "≤",
	"leqslant": "⩽", "ge": "≥", "geq": "≥", "geqslant": "⩾", "ne": "≠", "neq": "≠", "lt": "<", "gt": ">",
	"ll": "≪", "gg": "≫", "approx": "≈", "equiv": "≡", "sim": "∼", "simeq": "≃", "cong": "≅", "propto": "∝",
	"asymp": "≍", "doteq": "≐", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "subseteq": "⊆",
	"supset": "⊃", "supseteq": "⊇", "cup": "∪", "cap": "∩", "setminus": "∖", "emptyset": "∅", "varnothing": "∅",
	"to": "→", "rightarrow": "→", "leftarrow": "←", "leftrightarrow": "↔", "Rightarrow": "⇒", "Leftarrow": "⇐",
	"Leftrightarrow": "⇔", "implies": "⟹", "iff": "⟺", "mapsto": "↦", "longrightarrow": "⟶", "uparrow": "↑",
	"downarrow": "↓", "gets": "←", "hookrightarrow": "↪", "rightharpoonup": "⇀", "leadsto": "⇝", "times": "×",
	"div": "÷", "cdot": "⋅", "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "∙",
	"oplus": "⊕", "ominus": "⊖", "otimes": "⊗", "odot": "⊙", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨",
	"neg": "¬", "lnot": "¬", "dagger": "†", "forall": "∀", "exists": "∃", "nexists": "∄", "therefore": "∴",
	"because": "∵", "mid": "∣", "nmid": "∤", "parallel": "∥", "perp": "⟂", "angle": "∠", "vdash": "⊢",
	"models": "⊨", "top": "⊤", "bot": "⊥", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱",
	"colon": ":", "backslash": "\\", "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈",
	"rceil": "⌉", "lvert": "|", "rvert": "|", "vert": "|", "Vert": "‖", "lVert": "‖", "rVert": "‖",
	"lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]", "{": "{", "}": "}", "|": "‖", "_": "_",
	"%": "%", "&": "&", "#": "#", "$": "$", "triangle": "△", "square": "□", "blacksquare": "■",
	"checkmark": "✓", "prime": "′",
}

var identifiers = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ",
	"eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
	"xi": "ξ", "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ",
	"upsilon": "υ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
	"Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ",
	"Omega": "Ω", "infty": "∞", "partial": "∂", "nabla": "∇", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ",
	"aleph": "ℵ", "wp": "℘", "imath": "ı", "jmath": "ȷ", "degree": "°",
}

var accents = map[string]string{
	"hat": "^", "widehat": "^", "bar": "¯", "overline": "¯", "vec": "→", "overrightarrow": "→", "dot": "˙",
	"ddot": "¨", "tilde": "~", "widetilde": "~", "underline": "_", "overbrace": "⏞", "underbrace": "⏟",
	"check": "ˇ",
}

// letterlike are the letters of alphabets that Unicode has elsewhere.
var letterlike = map[string]string{
	"mathbbC": "ℂ", "mathbbH": "ℍ", "mathbbN": "ℕ", "mathbbP": "ℙ", "mathbbQ": "ℚ", "mathbbR": "ℝ",
	"mathbbZ": "ℤ", "mathbb1": "𝟙", "mathcalB": "ℬ", "mathcalE": "ℰ", "mathcalF": "ℱ", "mathcalH": "ℋ",
	"mathcalI": "ℐ", "mathcalL": "ℒ", "mathcalM": "ℳ", "mathcalR": "ℛ", "mathcale": "ℯ", "mathcalg": "ℊ",
	"mathcalo": "ℴ", "mathscrL": "ℒ", "mathscrF": "ℱ", "mathscrH": "ℋ", "mathscrB": "ℬ", "mathscrE": "ℰ",
	"mathscrI": "ℐ", "mathscrM": "ℳ", "mathscrR": "ℛ", "mathfrakC": "ℭ", "mathfrakH": "ℌ", "mathfrakI": "ℑ",
	"mathfrakR": "ℜ", "mathfrakZ": "ℨ",
}

var functions = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp det dim ker deg
		gcd lim limsup liminf max min sup inf arg argmax argmin Pr hom bmod mod tr rank`) {
		m[name] = true
	}
	return m
}()

var space = map[string]string{
	",":       `<mspace width="0.17em"></mspace>`,
	":":       `<mspace width="0.22em"></mspace>`,
	";":       `<mspace width="0.28em"></mspace>`,
	"!":       `<mspace width="0"></mspace>`,
	" ":       `<mspace width="0.25em"></mspace>`,
	"quad":    `<mspace width="1em"></mspace>`,
	"qquad":   `<mspace width="2em"></mspace>`,
	"enspace": `<mspace width="0.5em"></mspace>`,
	">":       `<mspace width="0.22em"></mspace>`,
}

// big are the operators whose limits stand above and below them.
var big = map[string]bool{
	`\sum`: true, `\prod`: true, `\coprod`: true, `\bigcup`: true, `\bigcap`: true, `\bigoplus`: true, `\bigotimes`: true,
	`\bigvee`: true, `\bigwedge`: true, `\underbrace`: true, `\overbrace`: true,
}
