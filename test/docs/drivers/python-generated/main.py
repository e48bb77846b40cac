import json, sys, urllib.request
from made import (ChangeFeed, CreateTicketInput, FromClass, Priority, ReadTicketResult, TicketEnvelope, WholeTicketPage)
_, base, token, mailbox = sys.argv

def call(method, path, body=None):
    headers = {'authorization': 'Bearer ' + token, 'content-type': 'application/json'}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, data, headers, method=method)) as answer:
        return json.load(answer)

customer = FromClass(email='made@client.test', name='Ana Lima')
wanted = CreateTicketInput(body='Made', create_ticket_input_from=customer, to=mailbox, priority=Priority.HIGH)
made = TicketEnvelope.from_dict(call('POST', '/v1/tickets', wanted.to_dict())).ticket
read = ReadTicketResult.from_dict(call('GET', f'/v1/tickets/{made.number}?include=messages')).ticket
page = WholeTicketPage.from_dict(call('GET', '/v1/tickets?per_page=5&state=unread'))
feed = ChangeFeed.from_dict(call('GET', '/v1/changes'))
print(read.customer_name, read.messages[0].plain_text_body, page.meta.pagination.total_count > 0, len(feed.changes) > 0)
