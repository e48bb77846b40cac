import type { ExampleRecorder } from './recorder.js';

export async function recordPeople(api: ExampleRecorder): Promise<void> {
  await api.get('/v1/me');
  await agents(api);
  await groups(api);
  await savedReplies(api);
  await mailboxes(api);
  await customers(api);
  await api.get('/v1/folders');
}

async function agents(api: ExampleRecorder): Promise<void> {
  await api.post('/v1/agents', { email: 'noor@acme.example', first_name: 'Noor', last_name: 'Haddad', role: 'agent' });
  await api.get('/v1/agents');
  await api.get('/v1/agents/noor@acme.example');
  await api.put('/v1/agents/noor@acme.example', { role: 'admin' });
  await api.post('/v1/agents/noor@acme.example/archive');
  await api.post('/v1/agents/noor@acme.example/restore');
}

async function groups(api: ExampleRecorder): Promise<void> {
  await api.post('/v1/groups', { name: 'Billing', agents: ['noor@acme.example'] });
  await api.get('/v1/groups');
  await api.get('/v1/groups/Billing');
  await api.put('/v1/groups/Billing', { name: 'Payments' });
  await api.post('/v1/groups', { name: 'Spare' });
  await api.delete('/v1/groups/Spare');
}

async function savedReplies(api: ExampleRecorder): Promise<void> {
  const text = 'Hi {{customer}},\n\nwe have sent your refund for {{ticket}}.\n\n{{agent}}';
  const fields = { shared: true, tags: ['refund'], state: 'closed' };
  await api.post('/v1/saved_replies', { name: 'Refund sent', body: text, ...fields });
  const { body } = await api.get('/v1/saved_replies');
  const { id } = (body as { saved_replies: { id: string }[] }).saved_replies[0]!;
  await api.get(`/v1/saved_replies/${id}`);
  await api.patch(`/v1/saved_replies/${id}`, { state: 'pending' });
  await api.delete(`/v1/saved_replies/${id}`);
}

async function mailboxes(api: ExampleRecorder): Promise<void> {
  await api.post('/v1/mailboxes', { name: 'Invoices', email: 'invoices@acme.example' });
  const { body } = await api.get('/v1/mailboxes');
  const { id } = (body as { mailboxes: { id: string }[] }).mailboxes.at(-1)!;
  await api.get(`/v1/mailboxes/${id}`);
  await api.put(`/v1/mailboxes/${id}`, { name: 'Payments' });
  const sending = { host: 'mail.acme.example', security: 'starttls', username: 'invoices', password: 'correct horse' };
  await api.put(`/v1/mailboxes/${id}/smtp`, sending);
  await api.get(`/v1/mailboxes/${id}/smtp`);
  await api.delete(`/v1/mailboxes/${id}/smtp`);
  const server = { host: 'imap.example.com', username: 'payments@acme.example', password: 'a password for this alone' };
  await api.put(`/v1/mailboxes/${id}/imap`, server);
  await api.get(`/v1/mailboxes/${id}/imap`);
  await api.post(`/v1/mailboxes/${id}/imap/rescan`);
  await api.post(`/v1/mailboxes/${id}/imap/import`, { since: '2026-01-01T00:00:00Z' });
  await api.get(`/v1/mailboxes/${id}/imap/import`);
  await api.delete(`/v1/mailboxes/${id}/imap/import`);
  await api.post(`/v1/mailboxes/${id}/imap/pause`);
  await api.post(`/v1/mailboxes/${id}/imap/resume`);
  await api.delete(`/v1/mailboxes/${id}/imap`);
  const spare = await api.post('/v1/mailboxes', { name: 'Spare', email: 'spare@acme.example' });
  await api.delete(`/v1/mailboxes/${(spare.body as { mailbox: { id: string } }).mailbox.id}`);
}

async function customers(api: ExampleRecorder): Promise<void> {
  await api.post('/v1/customers', { email: 'jonas@client.example', name: 'Jonas Weber', company_name: 'Client GmbH' });
  await api.get('/v1/customers?email=jonas@client.example');
  await api.get('/v1/customers/jonas@client.example');
  await api.patch('/v1/customers/jonas@client.example', { custom: { plan: 'business', seats: 25 } });
  await api.put('/v1/customers/jonas@client.example', { title: 'Head of Finance' });
  await api.post('/v1/customers', { email: 'spare@client.example' });
  await api.delete('/v1/customers/spare@client.example');
}
