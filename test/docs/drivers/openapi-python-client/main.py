import sys
from deskwire_client import AuthenticatedClient
from deskwire_client.api.changes import list_changes
from deskwire_client.api.tickets import assign_ticket_to_group
from deskwire_client.api.webhooks import create_webhook
from deskwire_client.models import AssignedGroupInput, CreateWebhookInput, CreateWebhookInputEvent

_, base, token, ticket, group = sys.argv
desk = AuthenticatedClient(base_url=base, token=token)
wanted = CreateWebhookInput(url='https://receiver.example/python', event=CreateWebhookInputEvent.TICKET_CLOSED)
made = create_webhook.sync(client=desk, body=wanted)
assigned = assign_ticket_to_group.sync(int(ticket), client=desk, body=AssignedGroupInput(assigned_group=group))
first = list_changes.sync(client=desk, per_page=1)
second = list_changes.sync(client=desk, per_page=1, cursor=first.meta.cursor)
print(made.webhook.event, assigned.group.name, *(page.changes[0].record.href for page in (first, second)))
