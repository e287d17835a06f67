package weaviate

import (
	"cmp"
	"context"
	"crypto/sha1"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const (
	chunkClass = "DocentChunk"
	fileClass  = "DocentFile"
	metaClass  = "DocentMeta"
)

// DefaultReplicas is how many nodes hold each index, unless told otherwise: with
// three, one may be down and everything works.
const DefaultReplicas = 3

var classes = []string{chunkClass, fileClass, metaClass}

type property struct {
	Name         string   `json:"name"`
	DataType     []string `json:"dataType"`
	Tokenization string   `json:"tokenization,omitempty"`
	Filterable   bool     `json:"indexFilterable"`
	Searchable   bool     `json:"indexSearchable"`
}

// like returns properties that differ from p in their names only.
func (p property) like(names ...string) (out []property) {
	for _, p.Name = range names {
		out = append(out, p)
	}
	return out
}

var (
	storedOnly = property{DataType: []string{"text"}, Tokenization: "field"} // neither filtered nor searched by
	key        = property{DataType: []string{"text"}, Tokenization: "field", Filterable: true}
	number     = property{DataType: []string{"int"}}
	summed     = property{DataType: []string{"int"}, Filterable: true}
)

func bag(name string, searchable bool) property { // words, divided by spaces
	return property{Name: name, DataType: []string{"text"}, Tokenization: "whitespace", Filterable: true, Searchable: searchable}
}

func properties(class string) []property {
	switch class {
	case chunkClass:
		return slices.Concat(key.like("file"),
			[]property{
				bag("words", true), bag("titles", false), bag("terms", false),
				{Name: "targets", DataType: []string{"text[]"}, Tokenization: "field", Filterable: true},
			},
			summed.like("title_length", "headings_length", "body_length"), storedOnly.like("sid", "row"))
	case fileClass:
		return slices.Concat(key.like("path"), number.like("bytes", "tokens", "lines", "sections", "chunks"),
			storedOnly.like("name", "origin", "hash", "text"), summed.like("loose"))
	}
	return slices.Concat(key.like("kind"), storedOnly.like("key", "value"))
}

// Init makes the collections that are not there.
func (c *Client) Init(ctx context.Context, replicas int) error {
	if _, err := c.Check(ctx); err != nil {
		return err
	}
	replicas = cmp.Or(replicas, DefaultReplicas)
	for _, class := range classes {
		var have struct{ Properties []property }
		err := c.call(ctx, http.MethodGet, "/v1/schema/"+class, nil, &have)
		if err == nil {
			for _, p := range properties(class) {
				if !slices.ContainsFunc(have.Properties, func(h property) bool { return h.Name == p.Name }) {
					return fmt.Errorf("cluster: collection %s has no %q: another version of docent made it. docent cluster drop --all --yes removes it; then index again", class, p.Name)
				}
			}
			continue
		}
		if !isStatus(err, http.StatusNotFound) {
			return err
		}
		index := "hnsw"
		if class != chunkClass {
			index = "flat"
		}
		err = c.call(ctx, http.MethodPost, "/v1/schema", map[string]any{
			"class": class, "vectorizer": "none", "properties": properties(class),
			"multiTenancyConfig":  map[string]any{"enabled": true},
			"replicationConfig":   map[string]any{"factor": replicas, "asyncEnabled": true, "deletionStrategy": "TimeBasedResolution"},
			"invertedIndexConfig": map[string]any{"stopwords": map[string]string{"preset": "none"}, "bm25": map[string]float64{"k1": 1.8, "b": 0.65}},
			"vectorIndexType":     index, "vectorIndexConfig": map[string]string{"distance": "cosine"},
		}, nil)
		if err != nil {
			return fmt.Errorf("make collection %s with %d replicas: %w", class, replicas, err)
		}
	}
	return nil
}

// nameBytes are what Weaviate allows in the name of a tenant.
const nameBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// checkName says what is wrong with the name of an index.
func checkName(name string) error {
	if name == "" || len(name) > 64 || strings.Trim(name, nameBytes) != "" {
		return fmt.Errorf("index %q: its name may hold letters, digits, - and _, 64 at most", name)
	}
	return nil
}

// addTenant makes room for an index, and reports whether there was none.
func (c *Client) addTenant(ctx context.Context, name string) (fresh bool, err error) {
	for _, class := range classes {
		have, err := c.tenants(ctx, class)
		if err != nil {
			return false, err
		}
		if slices.Contains(have, name) {
			continue
		}
		if err := c.call(ctx, http.MethodPost, "/v1/schema/"+class+"/tenants", []map[string]string{{"name": name}}, nil); err != nil {
			return false, fmt.Errorf("make index %s: %w", name, err)
		}
		fresh = fresh || class == chunkClass
	}
	return fresh, nil
}

// Indexes lists the indexes that the cluster holds.
func (c *Client) Indexes(ctx context.Context) ([]string, error) {
	names, err := c.tenants(ctx, metaClass)
	slices.Sort(names)
	return names, err
}

func (c *Client) tenants(ctx context.Context, class string) ([]string, error) {
	var list []struct {
		Name string `json:"name"`
	}
	err := c.call(ctx, http.MethodGet, "/v1/schema/"+class+"/tenants", nil, &list)
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusUnprocessableEntity) {
		return nil, nil // the collection is not there
	}
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = t.Name
	}
	return names, err
}

// Drop removes an index, or with "" everything.
func (c *Client) Drop(ctx context.Context, name string) error {
	if name != "" {
		if _, err := c.Open(ctx, name); err != nil {
			return err
		}
	} else if _, err := c.Check(ctx); err != nil {
		return err
	}
	for _, class := range classes {
		var err error
		if name == "" {
			err = c.call(ctx, http.MethodDelete, "/v1/schema/"+class, nil, nil)
		} else {
			err = c.call(ctx, http.MethodDelete, "/v1/schema/"+class+"/tenants", []string{name}, nil)
		}
		if err != nil && !isStatus(err, http.StatusNotFound) {
			return err
		}
	}
	return nil
}

// A Node is one node of a cluster.
type Node struct {
	Name    string `json:"name"`
	Status  string `json:"status"`
	Version string `json:"version"`
}

// Nodes lists the nodes as the cluster itself sees them.
func (c *Client) Nodes(ctx context.Context) ([]Node, error) {
	var reply struct {
		Nodes []Node `json:"nodes"`
	}
	err := c.call(ctx, http.MethodGet, "/v1/nodes?output=minimal", nil, &reply)
	return reply.Nodes, err
}

// namespace is ours, for names that follow from what they name.
var namespace = [16]byte{0x6f, 0x1d, 0x4c, 0x0e, 0x5a, 0x53, 0x5d, 0x0b, 0x9c, 0x37, 0x2b, 0x71, 0x0d, 0x0c, 0xe4, 0x77}

// id is the UUIDv5 of an object.
func id(tenant, class, key string) string {
	h := sha1.New()
	h.Write(namespace[:])
	h.Write([]byte(tenant + "\x00" + class + "\x00" + key))
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
