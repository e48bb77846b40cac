package main

import (
	"encoding/json"
	"net/http"
	"os"

	"guide/receiver"
)

type request struct {
	Secret  string
	Headers map[string]string
	Body    []byte
}

func main() {
	var requests []request
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	verdicts := make([]bool, len(requests))
	for i, r := range requests {
		header := http.Header{}
		for name, value := range r.Headers {
			header.Set(name, value)
		}
		verdicts[i] = receiver.Verify(r.Secret, header, r.Body)
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		panic(err)
	}
}
