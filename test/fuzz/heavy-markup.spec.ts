// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { Person } from '../oauth/support/person.js';
import { ApiClient } from '#test/support/api-client.js';
import type { AppProcess } from '#test/support/app-process.js';
import type { Desk } from '#test/support/desk.js';
import { LivenessProbe } from './liveness.js';

let oauth: OAuthDesk;
let desk: Desk;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
  ({ desk } = oauth);
});
afterAll(() => oauth.stop());

const CHARACTERS = 500_000;

const fill = (piece: string, length = CHARACTERS - 10): string => piece.repeat(length / piece.length);

/** Each keeps one part of a parser busy. */
const MARKUP: Readonly<Record<string, string>> = {
  'open tags, and others closed': fill('<b>', CHARACTERS / 2) + fill('</i>', CHARACTERS / 2),
  'as many of these as the parser reads': `${fill('text ', CHARACTERS - 20_000)}${'<b>'.repeat(2499)}${'</i>'.repeat(2499)}`,
  'tags that never end': fill('<br'),
  'tags in tags': `${'<div>'.repeat(45_000)}${'</div>'.repeat(45_000)}`,
  'equal attributes': `<p ${fill('a=b c=d ')}>`,
  'different attributes': `<p ${Array.from({ length: 60_000 }, (_, n) => `a${n}`).join(' ')}>`,
  'one attribute': `<p title="${fill('a', CHARACTERS - 20)}">`,
  entities: `<p>${fill('&amp;')}`,
  'signs that begin nothing': `<p>${fill('<')}`,
  comments: `<p>${fill('<!---->')}`,
  styles: `<p>${fill('<style>a{}</style>')}`,
  'pictures without an address': fill(`<img>${'x'.repeat(96)}`),
  'a picture with one attribute again and again': `<p>x</p><img ${fill('src ', CHARACTERS - 20)}`,
  'pictures that never end': `<p>${fill('<img src=')}`,
  addresses: fill('http://a.b '),
  'a letter with thousands of marks': `a${fill('\u0315', CHARACTERS / 2 - 1)}${fill('\u0316', CHARACTERS / 2)}`,
};

const MARKDOWN: Readonly<Record<string, string>> = {
  'quotations in quotations': fill('>'),
  'lists in lists': Array.from({ length: 900 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  'marks that open and never close': fill('*a_'),
  'links that never end': fill('[a]('),
  'brackets in brackets': fill('[', CHARACTERS / 3) + fill(']', CHARACTERS / 3),
  'bold words': fill('**a** '),
};

const WORDS = fill('text ');

interface Visitor {
  readonly client: ApiClient;
  readonly agent: Person;
}

async function visitorOf(api: AppProcess): Promise<Visitor> {
  const agent = new Person(api.base);
  await agent.signIn(desk.account.owner.email, PASSWORD);
  return { client: new ApiClient(api.base, desk.account.owner.token, desk.contract), agent };
}

async function postAndShow({ client, agent }: Visitor, body: string): Promise<number[]> {
  const opened = await client.post('/v1/tickets', { body, from: 'ana@client.test', to: desk.account.mailbox.email });
  const { number } = opened.body.ticket;
  const posted = await client.post(`/v1/tickets/${number}/messages`, { body });
  const page = await agent.get(`/tickets/${number}`);
  const whole = await agent.get(`/messages/${posted.body.message.id}`);
  return [opened.status, posted.status, page.status, whole.status];
}

/** A multipart form, as the composer sends it. */
async function previewAndSend(agent: Person, number: number, body: string): Promise<number[]> {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await agent.get('/profile')).html)![1]!;
  const post = (path: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ csrf, kind: 'note', body })) form.append(name, value);
    return agent.send('POST', `/tickets/${number}/${path}`, { body: form });
  };
  return [
    (await post('preview')).status,
    (await post('messages')).status,
    (await agent.get(`/tickets/${number}`)).status,
  ];
}

describe('an API whose client posts and reads the heaviest markup', () => {
  /** Other load on this machine slows both down. */
  it('answers another client at once, or no later than an API that gets as many plain words', async () => {
    const [api, plain] = await Promise.all([desk.apiProcess(), desk.apiProcess()]);
    const [heavy, light] = await Promise.all([visitorOf(api), visitorOf(plain)]);

    const [busy, reference] = [new LivenessProbe(api), new LivenessProbe(plain)];
    for (const [name, body] of Object.entries(MARKUP)) {
      const answers = await Promise.all([postAndShow(heavy, body), postAndShow(light, WORDS)]);
      expect(answers[0], `of ${name}`).toEqual([201, 201, 200, 200]);
    }
    const ticket = { body: 'Hi', from: 'ana@client.test', to: desk.account.mailbox.email };
    const { number } = (await heavy.client.post('/v1/tickets', ticket)).body.ticket;
    for (const [name, body] of Object.entries(MARKDOWN)) {
      const answers = await Promise.all([previewAndSend(heavy.agent, number, body), postAndShow(light, WORDS)]);
      expect(answers[0], `of ${name}`).toEqual([200, 303, 200]);
    }
    const { waited } = await busy.stop();
    const { waited: usual } = await reference.stop();

    // With another file of tests on two cores, 145 is usual.
    expect(waited.p99, 'milliseconds, it was 1,150').toBeLessThanOrEqual(Math.max(200, 2 * usual.p99));
    expect(waited.worst, 'milliseconds, it was 1,270').toBeLessThanOrEqual(Math.max(500, 3 * usual.worst));
    expect(await api.stop(), 'with the thread that rendered them').toBe(0);
  }, 180_000);
});
