import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const { desk } = oauth;
const agent = await oauth.person();
afterAll(() => oauth.stop());

interface Written {
  readonly number: number;
  readonly id: string;
  readonly text: string;
}

async function write(body: string): Promise<Written> {
  const number = await ticketFromAna(desk);
  const { message } = (await desk.client().post(`/v1/tickets/${number}/messages`, { body })).body;
  return { number, id: message.id, text: message.plain_text_body };
}

const stored = async ({ id }: Written) =>
  (await desk.sql.query('select shown_as, safe_html from messages where id = $1', [id])).rows[0];

const forget = ({ id }: Written) =>
  desk.sql.query('update messages set shown_as = null, safe_html = null where id = $1', [id]);

const EVIL = '<p onclick="a()">Hello <b>you</b><script>alert(1)</script><img src="https://tracker.test/a.png"></p>';
const SHOWN = '<p>Hello <b>you</b></p>';
const AS_TEXT = 'formatting of this message cannot be displayed';

/** Returns more HTML than a page renders at once. */
const long = (html: string): string => `${'<p>padding</p>'.repeat(800)}${html}`;

describe('the HTML of a message', () => {
  it('becomes safe when it is written', async () => {
    const message = await write(EVIL);

    expect(message.text).toBe('Hello you');
    expect(await stored(message)).toEqual({
      shown_as: 'html',
      safe_html: '<p>Hello <b>you</b><img data-remote-src="https://tracker.test/a.png" /></p>',
    });
    const page = await agent.get(`/tickets/${message.number}`);
    expect(page.html).toContain(SHOWN);
    expect(page.html).toContain('Load remote images');
    const withPictures = await agent.get(`/messages/${message.id}?images=1`);
    expect(withPictures.html).toContain('<p>Hello <b>you</b><img src="https://tracker.test/a.png" /></p>');
  });

  it('becomes safe when it is long', async () => {
    const message = await write(long(EVIL));

    const page = await agent.get(`/tickets/${message.number}`);
    const whole = await agent.get(`/messages/${message.id}`);

    expect(page.html).toContain('Show the whole message');
    expect(page.html).not.toContain(SHOWN);
    expect(whole.html).toContain(`padding</p>${SHOWN}`);
  });

  it.each([
    ['a little', EVIL],
    ['much', long(EVIL)],
  ])('becomes safe at first display when it was stored without its rendering: %s', async (_, body) => {
    const message = await write(body);
    const kept = await stored(message);
    await forget(message);

    const pages = await Promise.all([1, 2].map(() => agent.get(`/messages/${message.id}`)));

    for (const page of pages) expect(page.html).toContain(SHOWN);
    expect(await stored(message)).toEqual(kept);
  });

  it.each([
    ['too many tags', `${'<b>'.repeat(5001)}a &lt; b`],
    ['too many tags, and a number that no character has', `${'<b>'.repeat(5001)}a &lt; b&#${'9'.repeat(400)};`],
  ])('appears as text with a note when it has %s', async (_, body) => {
    const message = await write(body);

    const page = await agent.get(`/tickets/${message.number}`);

    expect(message.text).toMatch(/^a < b/);
    expect(await stored(message)).toEqual({ shown_as: 'text_of_html', safe_html: null });
    expect(page.html).toContain('a &lt; b');
    expect(page.html).toContain(AS_TEXT);
  });
});

describe('stored HTML whose tags do not match', () => {
  it('appears as text with a note', async () => {
    const message = await write('<p>Hello <b>you</b></p>');
    await desk.sql.query('update messages set safe_html = $2 where id = $1', [
      message.id,
      '<p>Hello <a>you</nothing></p>',
    ]);

    const page = await agent.get(`/tickets/${message.number}`);

    expect(page.html).toContain('Hello you');
    expect(page.html).not.toContain('nothing');
    expect(page.html).toContain(AS_TEXT);
  });
});

describe('a plain-text message', () => {
  it('appears as written, without stored HTML', async () => {
    const message = await write('1 < 2 & <3>, see https://a.test/b.');

    const page = await agent.get(`/tickets/${message.number}`);

    expect(await stored(message)).toEqual({ shown_as: 'text', safe_html: null });
    expect(page.html).toContain('1 &lt; 2 &amp; &lt;3>, see <a href="https://a.test/b"');
    expect(page.html).not.toContain(AS_TEXT);
  });
});
