package playground

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// introspection answers every introspection query, with the schema
//
//	type Query {
//	  "Greets the named one."
//	  hello(name: String): String
//	  "The Authorization header that came in."
//	  token: String
//	}
const introspection = `{"data": {"__schema": {
  "description": null,
  "queryType": {"name": "Query"}, "mutationType": null, "subscriptionType": null,
  "directives": [],
  "types": [
    {"kind": "SCALAR", "name": "String", "description": "Text."},
    {"kind": "SCALAR", "name": "Boolean", "description": "Yes or no."},
    {"kind": "OBJECT", "name": "Query", "description": "Where to start.", "interfaces": [], "fields": [
      {
        "name": "hello", "description": "Greets the named one.", "isDeprecated": false,
        "type": {"kind": "SCALAR", "name": "String"},
        "args": [{"name": "name", "isDeprecated": false, "type": {"kind": "SCALAR", "name": "String"}}]
      },
      {
        "name": "token", "description": "The Authorization header that came in.", "isDeprecated": false,
        "type": {"kind": "SCALAR", "name": "String"}, "args": []
      }
    ]}
  ]
}}}`

// startServer serves only the page and a fake GraphQL endpoint.
func startServer(t *testing.T, page http.Handler) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(Path, page)
	mux.Handle(Path+"/", page)
	mux.HandleFunc("POST /graphql", answer)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// answer greets the name in the variables and repeats the Authorization header, which it refuses if the header says
// so. It answers login with a token.
func answer(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Query     string
		Variables struct{ Name string }
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if r.Header.Get("Authorization") == "Bearer refused" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"errors": [{"message": "token refused"}]}`)
		return
	}
	data := fmt.Sprintf(`{"data": {"hello": "Hello, %s!", "token": %q}}`, in.Variables.Name, r.Header.Get("Authorization"))
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, ":\n\nevent: next\ndata: %s\n\nevent: next\ndata: %s\n\nevent: complete\ndata:\n\n", data, data)
		return
	}
	w.Header().Set("Content-Type", "application/graphql-response+json")
	if strings.Contains(in.Query, "__schema") {
		data = introspection
	}
	if strings.Contains(in.Query, "login") {
		data = `{"data": {"login": {"token": "agora_7_secret"}}}`
	}
	fmt.Fprint(w, data)
}
