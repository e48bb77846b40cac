// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { RawConnection } from '#test/support/raw-connection.js';

const BOUNDARY = '----deadlines';

const desk = await startDesk({
  settings: {
    HEADERS_TIMEOUT_MS: '400',
    BODY_TIMEOUT_MS: '800',
    STALL_TIMEOUT_MS: '800',
    KEEP_ALIVE_TIMEOUT_MS: '400',
  },
});
const authorization = `authorization: Bearer ${desk.account.owner.token}`;
afterAll(() => desk.stop());

const open = (...lines: string[]): RawConnection => new RawConnection(desk.base).send(...lines);
const headers = (line: string, ...more: string[]): string[] => [line, 'host: localhost', ...more];

const refused = async (reason: string): Promise<number> => {
  const { text } = await desk.anonymous().get('/metrics');
  return Number(new RegExp(`deskwire_http_refused_total\\{reason="${reason}"[^}]*\\} (\\d+)`).exec(text)?.[1]);
};

const JSON_BODY = 'content-type: application/json';
const half = (line: string, ...more: string[]) =>
  open(...headers(line, JSON_BODY, 'content-length: 1000', ...more), '', '{"body":');

/** The response that a slow client receives before its connection is closed. */
const TIMEOUT = /^HTTP\/1.1 408 [^]*application\/problem\+json[^]*"error":"request_timeout"/;

describe.concurrent('the deadlines of a slow request', () => {
  it.each([
    ['end a connection that sends nothing', () => new RawConnection(desk.base), /^HTTP\/1.1 408 /],
    ['return 408 when the headers do not end', () => open(...headers('GET /healthz HTTP/1.1', 'x-: ')).drip(), TIMEOUT],
    [
      'end an idle connection after its response',
      () => open(...headers('GET /healthz HTTP/1.1'), '', ''),
      /^HTTP\/1.1 200 /,
    ],
    [
      'return 408 when the body arrives byte by byte',
      () => half('POST /v1/tickets HTTP/1.1', authorization).drip(),
      TIMEOUT,
    ],
    [
      'end a connection that keeps sending after its response',
      () => half('POST /v1/%ff HTTP/1.1').drip(),
      /^HTTP\/1.1 400 /,
    ],
  ])('%s', async (_, connect, answer) => {
    expect(await connect().ended).toMatch(answer);
  });

  it.each(['POST /v1/tickets', 'POST /sign-in', 'POST /nothing/here', 'POST /oauth/token'])(
    'return 408 when the body of %s does not end',
    async (line) => {
      const answer = await half(`${line} HTTP/1.1`, authorization).ended;

      expect(answer).toMatch(TIMEOUT);
      expect(answer).toContain(`"instance":"${line.split(' ')[1]!}"`);
    },
  );
});

describe('the deadline of an upload', () => {
  let path: string;
  beforeAll(async () => {
    path = `/v1/messages/${await NEW_RECORDS.message(desk)}/attachments`;
  });

  const begin = (length: number) =>
    open(
      ...headers(`POST ${path} HTTP/1.1`, authorization, `content-type: multipart/form-data; boundary=${BOUNDARY}`),
      `content-length: ${length}`,
      '',
      PART,
    );
  const PART = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="log.txt"\r\ncontent-type: text/plain\r\n\r\n`;
  const END = `\r\n--${BOUNDARY}--\r\n`;

  it('allows an upload that takes longer than a body but keeps moving', async () => {
    const parts = 30;
    const upload = begin(PART.length + parts * 2000 + END.length);
    let left = parts;
    const timer = setInterval(() => {
      upload.send('x'.repeat(2000));
      if (--left > 0) return;
      clearInterval(timer);
      upload.send(END);
    }, 50);

    expect(await upload.ended).toMatch(/^HTTP\/1.1 201 /);
  });

  it.each([
    ['falls silent', (upload: RawConnection) => upload],
    ['sends a byte now and then', (upload: RawConnection) => upload.drip()],
  ])('returns 408 when the client %s', async (_how, go) => {
    expect(await go(begin(1_000_000)).ended).toMatch(TIMEOUT);
    expect(await refused('slow_upload')).toBeGreaterThan(0);
  });
});

describe('a client that does not read', () => {
  it('loses its connection when its responses are large', async () => {
    const body = `<p>${'a'.repeat(490_000)}</p>`;
    const { number } = await startTicket(desk, { body });
    await desk.client().post(`/v1/tickets/${number}/messages`, { body });
    const before = await refused('slow_reader');

    // The kernel buffers several megabytes for a client, so that one response is never too large.
    const reader = open(
      `${headers(`GET /v1/tickets/${number}/messages HTTP/1.1`, authorization).join('\r\n')}\r\n\r\n`.repeat(10),
    );
    reader.socket.pause();
    await eventually(async () => (await refused('slow_reader')) > before);
    reader.socket.resume();

    expect((await reader.ended).length).toBeLessThan(8_000_000);
  });
});

describe('a form with files', () => {
  it('cannot hold more text than another form', async () => {
    const field = (name: string) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${'x'.repeat(400_000)}\r\n`;
    const body = `${['a', 'b', 'c', 'd'].map(field).join('')}--${BOUNDARY}--\r\n`;
    const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

    expect((await desk.anonymous().post('/tickets', body, type)).status).toBe(413);
  });
});

it('closes worker connections whose headers or body do not end', async () => {
  const worker = await desk.worker({ LOG_LEVEL: 'info' });
  const base = await eventually(() => {
    const port = /"port":(\d+)/.exec(worker.output())?.[1];
    return port && `http://127.0.0.1:${port}`;
  });

  const headersOnly = new RawConnection(base).send(...headers('GET /healthz HTTP/1.1', 'x-more: '));
  const halfBody = new RawConnection(base).send(...headers('POST /healthz HTTP/1.1', 'content-length: 9'), '', 'half');
  expect((await Promise.all([headersOnly.ended, halfBody.ended])).join('')).not.toContain(' 500 ');
});
