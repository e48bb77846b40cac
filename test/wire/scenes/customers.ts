import type { Desk } from '../desk.js';

const FULL = {
  email: 'Jonas@Client.example',
  first_name: 'Jonas',
  last_name: 'Weber',
  about: 'Likes <b>letters</b> & "quotes"',
  twitter_username: 'jonas',
  title: 'Head of Finance',
  company_name: 'Client GmbH',
  phone_number: '+49 30 12345',
  location: 'Köln',
  website_url: 'https://client.example',
  linkedin_username: 'jonas-weber',
  custom: { plan: 'business', seats: 25, active: true, since: null },
};

export async function customers(desk: Desk): Promise<void> {
  const make = (json: object, about?: string) => desk.api('POST /v1/customers', { json, about });
  desk.known['customer'] = (await make(FULL)).json.customer.id;
  await make({ email: 'jonas@client.example' }, 'taken');
  await make({ email: 'bare@client.example' });
  await make({ email: 'unused@client.example', unknown_field: 'is left out' });
  await make({ email: 'x', first_name: {}, about: 'x'.repeat(5001), custom: { deep: {} }, location: 7 });
  await make({ email: 'admin@example.com' }, 'an agent’s address');
  await make({ email: 'nul@client.example', first_name: 'a\u0000b' });
  await make({ email: 'lone@client.example', first_name: '\ud800' });
  await make({
    email: 'many@client.example',
    custom: Object.fromEntries(Array.from({ length: 51 }, (_none, key) => [`k${key}`, key])),
  });
  await desk.api('POST /v1/customers', {
    form: [
      ['email', 'form@client.example'],
      ['first_name', ''],
      ['custom[plan]', 'free'],
      ['last_name', 'Förm'],
    ],
  });
  for (const query of [
    '',
    '?per_page=2',
    '?per_page=2&page=2',
    '?page=4&per_page=2',
    '?email=BARE@client.example',
    '?email=none@client.example',
    '?per_page=99',
    '?per_page=x',
  ])
    await desk.api(`GET /v1/customers${query}`);
  for (const name of [
    'jonas@client.example',
    'JONAS%40CLIENT.example',
    desk.known['customer'],
    'none@client.example',
    '%00',
  ])
    await desk.api(`GET /v1/customers/${name}`);
  await changes(desk);
  await walk(desk, '/v1/customers?per_page=2');
  await desk.settle();
}

async function changes(desk: Desk): Promise<void> {
  const path = '/v1/customers/bare@client.example';
  const before = await desk.api(`GET ${path}`);
  const etag = before.header('etag') ?? '';
  await desk.api(`GET ${path}`, { headers: { 'if-none-match': etag } });
  await desk.api(`GET ${path}`, { headers: { 'if-none-match': `"other", W/${etag}` } });
  await desk.api(`HEAD ${path}`, { headers: { 'if-none-match': etag } });
  await desk.api(`GET ${path}`, { headers: { 'if-none-match': '*' } });
  await desk.api(`PUT ${path}`, { json: { title: 'First' }, headers: { 'if-match': etag } });
  await desk.api(`PUT ${path}`, {
    json: { title: 'Second' },
    headers: { 'if-match': etag },
    about: 'somebody was faster',
  });
  await desk.api(`PATCH ${path}`, { json: { title: 'Third' }, headers: { 'if-match': '*' } });
  await desk.api(`PATCH ${path}`, { json: { title: 'Fourth' }, headers: { 'if-match': '"nothing"' } });
  await desk.api(`PATCH ${path}`, { json: { custom: { a: 1, 'b c': 'x' }, about: null } });
  await desk.api(`PATCH ${path}`, { json: { custom: null, title: null } });
  await desk.api(`PATCH ${path}`, { json: {}, about: 'nothing' });
  await desk.api(`PUT ${path}`, { json: { email: 'jonas@client.example' }, about: 'taken' });
  await desk.api(`PUT ${path}`, { json: { email: 'Renamed@client.example' } });
  await desk.api(`GET ${path}`, { about: 'under its old name' });
  await desk.api('PUT /v1/customers/renamed@client.example', {
    form: [
      ['email', 'bare@client.example'],
      ['title', ''],
    ],
  });
  await desk.api('DELETE /v1/customers/unused@client.example', { headers: { 'if-match': '"nothing"' } });
  await desk.api('DELETE /v1/customers/unused@client.example');
  await desk.api('DELETE /v1/customers/unused@client.example', { about: 'again' });
}

/** Every page of a list by its `next_page`, and one back. */
export async function walk(desk: Desk, path: string): Promise<void> {
  let [next, back]: [string | null, string | null] = [path, null];
  for (let pages = 0; next && pages < 6; pages += 1) {
    const { json } = await desk.api(`GET ${next}`, { about: 'page by page' });
    [next, back] = [local(json.meta.pagination.next_page), local(json.meta.pagination.prev_page ?? null)];
  }
  if (back) await desk.api(`GET ${back}`, { about: 'and back' });
}

const local = (address: string | null): string | null => address?.replace(/^https?:\/\/[^/]+/, '') ?? null;
