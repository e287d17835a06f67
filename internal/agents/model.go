package main

import (
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/docent-md/docent/internal/agents/reader"
	"github.com/docent-md/docent/internal/model/llm"
)

// A model is what answers.
type model struct {
	chat     *llm.Chat
	name     string
	scripted bool
	close    func()
}

// modelOf opens the model that the environment names, or the stand-in.
func modelOf(getenv func(string) string, script bool) (model, error) {
	api := getenv("DOCENT_AGENTS_API")
	c := llm.Config{
		BaseURL: getenv("DOCENT_AGENTS_URL"), Key: getenv("DOCENT_AGENTS_KEY"), Model: getenv("DOCENT_AGENTS_MODEL"),
		Timeout: 3 * time.Minute, Concurrency: 64, Patient: true,
	}
	m := model{close: func() {}}
	if script || api == "" {
		if !script && (c.BaseURL != "" || c.Key != "" || c.Model != "") {
			return m, fmt.Errorf("DOCENT_AGENTS_API is not set: say messages or chat")
		}
		srv := httptest.NewServer(reader.Handler())
		c = llm.Config{BaseURL: srv.URL, Model: "scripted stand-in"}
		m.close, m.scripted, api = srv.Close, true, "messages"
	}
	var err error
	switch api {
	case "messages":
		m.chat, err = llm.NewMessagesChat(c)
	case "chat":
		m.chat, err = llm.NewOpenAIChat(c)
	default:
		err = fmt.Errorf("DOCENT_AGENTS_API is %q: say messages or chat", api)
	}
	if err != nil {
		return m, err
	}
	m.name = m.chat.Model()
	return m, nil
}
