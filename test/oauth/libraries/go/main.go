package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"time"

	"golang.org/x/oauth2"

	"example/stored"
)

// memory is a store as docs/oauth.md wants it, for the token of one person.
type memory struct {
	token *oauth2.Token
	saved int
}

func (m *memory) Load(context.Context) (*oauth2.Token, error) { return m.token, nil }

func (m *memory) Save(_ context.Context, token *oauth2.Token) error {
	m.token, m.saved = token, m.saved+1
	return nil
}

func main() {
	base := os.Getenv("BASE")
	config := &oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     oauth2.Endpoint{AuthURL: base + "/oauth/authorize", TokenURL: base + "/oauth/token"},
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Scopes:       []string{"tickets:read"},
	}
	verifier := oauth2.GenerateVerifier()
	fmt.Println(config.AuthCodeURL("abc", oauth2.S256ChallengeOption(verifier)))
	input := bufio.NewScanner(os.Stdin)
	input.Scan()
	callback, err := url.Parse(input.Text())
	check(err)
	ctx := context.Background()
	token, err := config.Exchange(ctx, callback.Query().Get("code"), oauth2.VerifierOption(verifier))
	check(err)
	expired := *token
	expired.Expiry = time.Now().Add(-time.Hour)
	store := &memory{token: &expired}
	source := stored.Source(ctx, config, store)
	answer, err := oauth2.NewClient(ctx, source).Get(base + "/v1/tickets")
	check(err)
	refreshed, err := source.Token()
	check(err)
	if store.saved != 1 || store.token.RefreshToken == token.RefreshToken {
		panic("the new pair was not stored once")
	}
	tokens := []string{token.AccessToken, refreshed.AccessToken}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"accessTokens": tokens, "status": answer.StatusCode}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
