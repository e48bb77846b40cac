package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"client/deskwire"
)

func main() {
	base, token, group, one := os.Args[1], os.Args[2], os.Args[4], 1
	number, ctx := must(strconv.Atoi(os.Args[3])), context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	desk := must(deskwire.NewClientWithResponses(base, deskwire.WithRequestEditorFn(authorize)))
	event := deskwire.CreateWebhookInputEvent("ticket_closed")
	wanted := deskwire.CreateWebhookInput{Url: "https://receiver.example/oapi-codegen", Event: &event}
	made := must(must(desk.CreateWebhookWithResponse(ctx, nil, wanted)).JSON201.AsNewWebhookEnvelope())
	assigned := must(desk.AssignTicketToGroupWithResponse(ctx, number, nil, deskwire.AssignedGroupInput{AssignedGroup: &group}))
	first := must(desk.ListChangesWithResponse(ctx, &deskwire.ListChangesParams{PerPage: &one})).JSON200
	next := deskwire.ListChangesParams{PerPage: &one, Cursor: &first.Meta.Cursor}
	second := must(desk.ListChangesWithResponse(ctx, &next)).JSON200
	fmt.Println(made.Webhook.Event, assigned.JSON200.Group.Name, hrefOf(first.Changes[0]), hrefOf(second.Changes[0]))
}

func hrefOf(change deskwire.Change) string {
	switch change := must(change.ValueByDiscriminator()).(type) {
	case deskwire.AgentChange:
		return change.Record.Href
	case deskwire.MailboxChange:
		return change.Record.Href
	}
	return "another record"
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
