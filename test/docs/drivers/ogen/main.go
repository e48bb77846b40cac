package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"

	"github.com/ogen-go/ogen/ogenerrors"

	"client/deskwire"
)

type token string

func (t token) Token(context.Context, deskwire.OperationName) (deskwire.Token, error) {
	return deskwire.Token{Token: string(t)}, nil
}

func (t token) OAuth2(context.Context, deskwire.OperationName) (deskwire.OAuth2, error) {
	return deskwire.OAuth2{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	number, ctx := must(strconv.Atoi(os.Args[3])), context.Background()
	desk := must(deskwire.NewClient(os.Args[1], token(os.Args[2])))
	event := deskwire.NewOptCreateWebhookInputEvent(deskwire.CreateWebhookInputEventTicketClosed)
	wanted := deskwire.CreateWebhookInput{URL: *must(url.Parse("https://receiver.example/ogen")), Event: event}
	made := must(desk.CreateWebhook(ctx, &wanted, deskwire.CreateWebhookParams{})).(*deskwire.CreateWebhookCreatedHeaders)
	group := deskwire.AssignedGroupInput{AssignedGroup: deskwire.NewOptNilString(os.Args[4])}
	assigned := must(desk.AssignTicketToGroup(ctx, &group, deskwire.AssignTicketToGroupParams{Number: number}))
	one := deskwire.ListChangesParams{PerPage: deskwire.NewOptInt(1)}
	first := must(desk.ListChanges(ctx, one)).(*deskwire.ChangeFeedHeaders).Response
	one.Cursor = deskwire.NewOptString(first.Meta.Cursor)
	second := must(desk.ListChanges(ctx, one)).(*deskwire.ChangeFeedHeaders).Response
	webhook := made.Response.NewWebhookEnvelope.Webhook
	name := assigned.(*deskwire.AssignTicketToGroupResultHeaders).Response.Group.Value.Name
	fmt.Println(webhook.Event, name, hrefOf(first.Changes[0]), hrefOf(second.Changes[0]))
}

func hrefOf(change deskwire.Change) string {
	switch change.Type {
	case deskwire.AgentChangeChange:
		return change.AgentChange.Record.Value.Href.String()
	case deskwire.MailboxChangeChange:
		return change.MailboxChange.Record.Value.Href.String()
	}
	return "another record"
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
