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
)

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
	source := config.TokenSource(ctx, &expired)
	answer, err := oauth2.NewClient(ctx, source).Get(base + "/v1/tickets")
	check(err)
	refreshed, err := source.Token()
	check(err)
	tokens := []string{token.AccessToken, refreshed.AccessToken}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{"accessTokens": tokens, "status": answer.StatusCode}))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
