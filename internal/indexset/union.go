package indexset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/library/local"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// Search answers a question from the indexes that names mean, as if they were one. A
// question to "all" goes to those that are most likely to answer it. Hits carry the
// name of their index, and their Refs begin with it.
func (s *Set) Search(ctx context.Context, names string, q answer.Query, by search.Reranker) (*answer.Answer, error) {
	refs, err := s.resolve(names)
	if err != nil {
		return nil, err
	}
	u := &union{set: s, refs: refs, q: q.Text, all: strings.TrimSpace(names) == All}
	var a *answer.Answer
	err = refresh.Do(ctx, u, func(snap snapshot.Snapshot) (err error) {
		a, err = search.Run(ctx, snap, q, by)
		return err
	})
	return a, err
}

// A union is several indexes that one question is put to. Its segments are searched as
// if they were those of one index, so that scores can be compared.
type union struct {
	set  *Set
	refs []indexRef
	q    string
	all  bool // the indexes are shortlisted

	repaired bool // one was damaged when it was opened: once is enough
}

// An open union is the snapshot of all its indexes, each acquired from its own.
type openUnion struct {
	*local.Snapshot
	members []*openMember
}

// An openMember is one index of an open union.
type openMember struct {
	name    string
	live    *refresh.Live
	snap    snapshot.Snapshot
	view    *snapshot.View
	release func()
}

// Acquire opens the indexes and joins them. Those of "all" that cannot be opened are
// left out, and a note says so.
func (u *union) Acquire(ctx context.Context) (snapshot.Snapshot, func(), error) {
	var open []*openMember
	release := func() {
		for _, m := range open {
			m.release()
		}
	}
	for _, r := range u.refs {
		if m, err := u.set.member(ctx, r); err == nil {
			m.RefreshIfDue()
		}
	}
	var left []string
	var missing error
	for _, r := range u.refs {
		m, err := u.set.acquire(ctx, r)
		switch {
		case err == nil:
			open = append(open, m)
		case r.byName || ctx.Err() != nil:
			release()
			return nil, nil, err
		case r.Name == "" && errors.Is(err, answer.ErrNoDocuments):
		default:
			missing = cmp.Or(missing, err)
			left = append(left, cmp.Or(r.Name, snapshot.OwnName))
			if note := u.set.options.Note; note != nil {
				note(fmt.Sprintf("left out: %v", err))
			}
		}
	}
	if len(open) == 0 {
		return nil, nil, cmp.Or(missing, ErrNoIndex)
	}
	var joined *openUnion
	err := segment.Guard(func() (err error) {
		joined, err = u.join(ctx, open, left)
		return err
	})
	if err != nil {
		// A damaged index shows here already: it is repaired before anything is asked.
		repaired, rerr := repairDamaged(ctx, open, err)
		release()
		if rerr == nil && repaired && !u.repaired {
			u.repaired = true
			return u.Acquire(ctx)
		}
		return nil, nil, err
	}
	return joined, release, nil
}

func (s *Set) acquire(ctx context.Context, r indexRef) (*openMember, error) {
	m, err := s.member(ctx, r)
	if err != nil {
		return nil, err
	}
	snap, release, err := m.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	v, err := snap.View(ctx, snapshot.Want{})
	if err != nil {
		release()
		return nil, err
	}
	return &openMember{r.Name, m.Live, snap, v, release}, nil
}

// join makes one snapshot of several, of the shortlist where all are asked.
func (u *union) join(ctx context.Context, open []*openMember, left []string) (*openUnion, error) {
	v, err := joinViews(open, left)
	if err != nil {
		return nil, err
	}
	chosen := open
	if u.all {
		if chosen, err = u.set.shortlist(v, open, u.q); err != nil {
			return nil, err
		}
		if len(chosen) < len(open) {
			if v, err = joinViews(chosen, left); err != nil {
				return nil, err
			}
		}
	}
	return &openUnion{local.New(v, "", nil), chosen}, nil
}

func joinViews(open []*openMember, left []string) (*snapshot.View, error) {
	names := make([]string, len(open))
	views := make([]*snapshot.View, len(open))
	for i, m := range open {
		names[i], views[i] = m.name, m.view
	}
	return snapshot.Join(names, views, left)
}

// Repair has each index that err concerns repair itself.
func (u *union) Repair(ctx context.Context, s snapshot.Snapshot, err error, round int) (again bool, _ error) {
	open, ok := s.(*openUnion)
	if !ok {
		return false, err
	}
	if stale, ok := errors.AsType[*snapshot.StaleError](err); ok {
		for _, m := range open.members {
			if _, _, ours := stale.Of(m.view); !ours {
				continue
			}
			if _, err := m.live.Repair(ctx, m.snap, stale, round); err != nil {
				return false, err
			}
			again = true
		}
		if again {
			return true, nil
		}
		return false, err
	}
	if errors.Is(err, segment.ErrReplaced) {
		for _, m := range open.members {
			if replaced := m.snap.Intact(); replaced != nil {
				if _, err := m.live.Repair(ctx, m.snap, replaced, round); err != nil {
					return false, err
				}
			}
		}
		return true, nil
	}
	if snapshot.Damaged(err) {
		repaired, rerr := repairDamaged(ctx, open.members, err)
		if rerr != nil {
			return false, rerr
		}
		if repaired {
			return true, nil
		}
	}
	return false, err
}

// repairDamaged rebuilds the indexes that are damaged, as err says of one of them.
func repairDamaged(ctx context.Context, open []*openMember, err error) (repaired bool, _ error) {
	if !snapshot.Damaged(err) {
		return false, nil
	}
	for _, m := range open {
		one, err := m.live.RepairDamaged(ctx, m.snap, err)
		if err != nil {
			return repaired, err
		}
		repaired = repaired || one
	}
	return repaired, nil
}
