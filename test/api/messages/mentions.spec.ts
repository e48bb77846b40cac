import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { newAccount } from '#test/support/account-desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const { desk } = oauth;
afterAll(() => oauth.stop());

const write = (number: number, body: string, fields: object = {}) =>
  desk.client().post(`/v1/tickets/${number}/messages`, { body, note: true, ...fields });

async function colleague() {
  const { email } = await oauth.agent();
  const person = await oauth.person(email);
  const listed = async (): Promise<number[]> => {
    const { html } = await person.get('/inbox?folder=mentioned');
    return [...html.matchAll(/data-ticket="(\d+)"/g)].map(([, number]) => Number(number));
  };
  return { email, name: email.split('@')[0]!, person, listed };
}

describe('a note that mentions an agent', () => {
  it('puts the ticket into the folder of that agent while it is in hand, and shows the name in the note', async () => {
    const [ana, other] = [await colleague(), await colleague()];
    const { number } = await startTicket(desk);
    const { body } = await write(number, `Can you look, @${ana.name.toUpperCase()}? 1 < 2`);
    const page = await ana.person.get(`/tickets/${number}`);

    expect(body.message.plain_text_body).toContain('Can you look');
    expect([await ana.listed(), await other.listed()]).toEqual([[number], []]);
    expect(page.html).toContain(`<mark>@${ana.name.toUpperCase()}</mark>`);
    expect((await ana.person.get('/inbox')).html).toMatch(/data-folder="mentioned".*?<span class="count">1<\/span>/);

    await desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
    expect(await ana.listed()).toEqual([]);
  });

  it.each([
    ['HTML', '<p><b>@NAME</b> <a href="https://acme.test/@NAME">@NAMEs</a></p>', '<b><mark>@NAME</mark></b>'],
    ['Markdown', '- @NAME', '<li><mark>@NAME</mark></li>'],
  ])('is highlighted in %s', async (kind, body, shown) => {
    const ana = await colleague();
    const { number } = await startTicket(desk);
    const written = body.replaceAll('NAME', ana.name);
    if (kind === 'HTML') await write(number, written);
    else await ana.person.act(`/tickets/${number}/messages`, { kind: 'note', body: written });
    const { html } = await ana.person.get(`/tickets/${number}`);

    expect(html).toContain(shown.replaceAll('NAME', ana.name));
    expect(html).not.toContain(`/<mark>`);
  });

  it.each([
    [
      'the note that starts a ticket',
      (name: string) =>
        startTicket(desk, { from: desk.account.owner.email, to: newEmail(), note: true, body: `@${name}` }),
    ],
    [
      'an HTML note',
      (name: string) =>
        startTicket(desk).then(async ({ number }) => {
          await write(number, `<p>Ask <b>@${name}</b>.</p>`);
          return { number };
        }),
    ],
  ])('counts in %s', async (_, make) => {
    const ana = await colleague();
    const { number } = await make(ana.name);

    expect(await ana.listed()).toEqual([number]);
  });

  it.each([
    ['a reply', (email: string) => `@${email}`, { note: false }],
    ['an email address', (email: string) => email, {}],
    ['an email address of another domain', (email: string) => `@${email.split('@')[0]}@elsewhere.test`, {}],
  ])('does not count in %s', async (_, bodyFor, fields) => {
    const ana = await colleague();
    const { number } = await startTicket(desk);
    await write(number, bodyFor(ana.email), fields);

    expect(await ana.listed()).toEqual([]);
  });

  it('mentions neither of two agents with the same name, unless it has the whole address', async () => {
    const ana = await colleague();
    const twin = `${ana.name}@second.test`;
    await desk.client().post('/v1/agents', { email: twin, first_name: 'Twin', last_name: 'Two' });
    await desk.sql.query("update agents set state = 'active' where email = $1", [twin]);
    const [one, two] = [await startTicket(desk), await startTicket(desk)];
    await write(one.number, `@${ana.name}`);
    await write(two.number, `@${ana.email}`);

    expect(await ana.listed()).toEqual([two.number]);
  });

  it.each([
    ['first', 'Inês-Ana', '@inês-ana'],
    ['first', 'Łukasz', '@Łukasz'],
    ['last', 'Zieliński', '@ZIELIńSKI'],
  ])('mentions the only agent with the %s name %s', async (place, name, typed) => {
    const ana = await colleague();
    await desk.sql.query(`update agents set ${place}_name = $2 where email = $1`, [ana.email, name]);
    const { number } = await startTicket(desk);
    await write(number, `Can you look, ${typed}?`);

    expect(await ana.listed()).toEqual([number]);
    expect((await ana.person.get(`/tickets/${number}`)).html).toContain(`<mark>${typed}</mark>`);
  });

  it('mentions nobody by a name that two agents have, unless an address begins so', async () => {
    const [ana, other, third] = [await colleague(), await colleague(), await colleague()];
    const named = 'update agents set first_name = $2, last_name = $3 where email = $1';
    await desk.sql.query(named, [ana.email, 'Mirabel', 'Van Dyke']);
    await desk.sql.query(named, [other.email, 'Mirabel', third.name]);
    const { number } = await startTicket(desk);
    await write(number, `@mirabel @${third.name} @van @dyke`);

    for (const one of [ana, other]) expect(await one.listed()).toEqual([]);
    expect(await third.listed()).toEqual([number]);
  });

  it('mentions no archived agent and none of another account', async () => {
    const here = await newAccount(desk);
    const ana = await colleague();
    const { number } = await startTicket(here);
    await here.client().post(`/v1/tickets/${number}/messages`, { body: `@${ana.email}`, note: true });
    const { rows } = await desk.sql.query('select from mentions where account_id = $1', [here.account.id]);

    expect(rows).toEqual([]);
    expect(await ana.listed()).toEqual([]);
  });

  it('lists the folder over the API for the agent of the token', async () => {
    const { number } = await startTicket(desk);
    await write(number, `@${desk.account.owner.email}`);
    const found = await desk.client().get('/v1/tickets?folder=mentioned');
    const counts = await desk.client().get('/v1/tickets/count');

    expect(found.body.tickets.map((ticket: { number: number }) => ticket.number)).toEqual([number]);
    expect(counts.body.mentioned).toBe(1);
  });
});
