import { randomUUID } from 'node:crypto';
import { runMigrations, withMigrationSource } from '#libs/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';

const MIGRATION = 'CloseElements1795651308000';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

/** Stores the HTML as an earlier version did, with the mark of the change before. */
async function store(html: string) {
  const ticket = { from: 'ana@client.test', to: desk.account.mailbox.email, body: '<p>new</p>' };
  const { ticket: opened } = (await desk.client().post('/v1/tickets', ticket)).body;
  const update = `update messages set safe_html = $2
    where ticket_id = (select id from tickets where number = $1) returning id, changed_in`;
  return (await desk.sql.query<{ id: string; changed_in: string }>(update, [opened.number, html])).rows[0]!;
}

async function stored(id: string) {
  const read = 'select safe_html as html, shown_as as "as", changed_in from messages where id = $1';
  return (await desk.sql.query<{ html: string | null; as: string | null; changed_in: string }>(read, [id])).rows[0]!;
}

async function migrate(): Promise<void> {
  await desk.sql.query('delete from migrations where name = $1', [MIGRATION]);
  expect(await withMigrationSource(desk.settings, runMigrations)).toEqual([MIGRATION]);
}

const LINK = '<a href="https://a.test/">';
const PICTURE = `<img data-attachment="${randomUUID()}" alt="&lt;/nothing&gt;" />`;

describe('the migration of HTML that an earlier version left open', () => {
  it.each([
    ['a link', `<p>a</p>${LINK}b</nothing>c`, `<p>a</p>${LINK}b</a>c`],
    ['a table', '<table><tr><td>x</td></tr></nothing>', '<table><tr><td>x</td></tr></table>'],
    ['several', `<s><b>a</nothing></s><div>${LINK}b</nothing></nothing>`, `<s><b>a</b></s><div>${LINK}b</a></div>`],
    ['a link around a picture', `<div>${LINK}${PICTURE}</nothing>b</div>`, `<div>${LINK}${PICTURE}</a>b</div>`],
    ['nothing, after line breaks', '<p><br /></nothing>a<br /></nothing></p>', '<p><br />a<br /></p>'],
    ['nothing, after all elements', '<p>a</p><hr /></nothing>', '<p>a</p><hr />'],
  ])('closes %s', async (_, html, repaired) => {
    const message = await store(html);

    await migrate();

    expect(await stored(message.id)).toEqual({ html: repaired, as: 'html', changed_in: message.changed_in });
  });

  it('leaves HTML to be rendered again if its tags could match in several ways', async () => {
    const message = await store('<div><p><br /></nothing>a</nothing></div>');

    await migrate();

    expect(await stored(message.id)).toEqual({ html: null, as: null, changed_in: message.changed_in });
  });

  it('repairs more messages than it reads at once, and keeps the others', async () => {
    const { id } = await store('<p>a</p>');
    const { rows } = await desk.sql.query<{ id: string }>(
      `insert into messages select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'safe_html', '<b>a</nothing>'))).*
       from messages m, generate_series(1, 120) where m.id = $1 returning id`,
      [id],
    );

    await migrate();

    const read = 'select safe_html as html, count(*)::int from messages where id = any($1) group by 1 order by 1';
    expect((await desk.sql.query(read, [[id, ...rows.map((row) => row.id)]])).rows).toEqual([
      { html: '<b>a</b>', count: 120 },
      { html: '<p>a</p>', count: 1 },
    ]);
  });
});
