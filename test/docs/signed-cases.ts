import { newWebhookSecret, signatureHeaders, type SignedRequest } from '#libs/delivery';

/** A request as a receiver gets it, with the receiver's secret and the expected verdict. */
export interface SignedCase {
  readonly title: string;
  readonly accepted: boolean;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const held = newWebhookSecret();
const other = newWebhookSecret();
const body = Buffer.from('{"title":"Größe 😀","html":"<b>&amp;</b>\\u0000","tabs":"\\t"}');
const bytes = Buffer.from(Array.from({ length: 512 }, (_none, index) => index % 256));

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

const signed = (overrides: Partial<SignedRequest> = {}): Record<string, string> =>
  signatureHeaders({
    accountId: '0199f3aa-5c1f-7c52-b1d0-8a3e6f2b9d47',
    webhookId: '019a8bff-2d10-7a44-9e05-c7b2f1d3864a',
    cause: { type: 'agent' },
    eventId: '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a10',
    kind: 'ticket_closed',
    sequence: 4711n,
    attempt: 1,
    secrets: [held],
    timestamp: new Date(),
    body,
    aliases: [],
    version: '0.1.0',
    ...overrides,
  });

const eachOf = (signatures: string, change: (one: string) => string) => signatures.split(' ').map(change).join(' ');
const signatureOf = (headers: Record<string, string>): string => headers['webhook-signature'] ?? '';

/** Created at each call, because they contain the current time. */
export function signedCases(): readonly SignedCase[] {
  const right = signatureOf(signed());
  return [
    accept('as it was sent', signed()),
    accept('four minutes old', signed({ timestamp: minutesAgo(4) })),
    accept('from a clock four minutes ahead', signed({ timestamp: minutesAgo(-4) })),
    accept('during a rotation, by the new secret', signed({ secrets: [held, other] })),
    accept('during a rotation, by the old secret', signed({ secrets: [other, held] })),
    accept('behind signatures of other versions', { ...signed(), 'webhook-signature': `v1a,YWJj v9,YWJj ${right}` }),

    refuse('another body', signed(), { body: Buffer.from(body.toString().replace('b', 'i')) }),
    refuse('a longer body', signed(), { body: Buffer.concat([body, Buffer.from(' ')]) }),
    refuse('another event', { ...signed(), 'webhook-id': '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a11' }),
    refuse('six minutes old', signed({ timestamp: minutesAgo(6) })),
    refuse('from a clock six minutes ahead', signed({ timestamp: minutesAgo(-6) })),
    refuse('an old one made young', {
      ...signed({ timestamp: minutesAgo(6) }),
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    }),
    refuse('by another secret', signed({ secrets: [other] })),
    refuse('after a rotation, by the new secret only', signed(), { secret: other }),
    refuse('under another version', { ...signed(), 'webhook-signature': right.replace(/\w+,/g, 'v2,') }),
    refuse('without webhook-id', without('webhook-id')),
    refuse('without webhook-timestamp', without('webhook-timestamp')),
    refuse('without webhook-signature', without('webhook-signature')),
  ];
}

/** Genuine requests whose kind or test header was changed, which `v1` does not cover. */
export function relabelledCases(): readonly SignedCase[] {
  const [v1, dw1] = signatureOf(signed()).split(' ');
  const [, another] = signatureOf(signed({ kind: 'ticket_deleted' })).split(' ');
  const { 'webhook-test': _test, ...testWithoutHeader } = signed({ test: true });
  return [
    accept('a test', signed({ test: true })),
    accept('with an alias that names another kind', { ...signed(), 'x-event': 'ticket_deleted' }),
    accept('by dw1 alone', { ...signed(), 'webhook-signature': dw1! }),

    refuse('by v1 alone', { ...signed(), 'webhook-signature': v1! }),
    refuse('with the signature of v1 as dw1', { ...signed(), 'webhook-signature': v1!.replace('v1', 'dw1') }),
    refuse('under another kind', { ...signed(), 'webhook-event': 'ticket_deleted' }),
    refuse('under two kinds', { ...signed(), 'webhook-event': 'ticket_closed, ticket_deleted' }),
    refuse('without its kind', without('webhook-event')),
    refuse('of another account', { ...signed(), 'webhook-account': '0199f3aa-5c1f-7c52-b1d0-8a3e6f2b9d48' }),
    refuse('of another webhook', { ...signed(), 'webhook-endpoint': '019a8bff-2d10-7a44-9e05-c7b2f1d3864b' }),
    refuse('with dw1 of another delivery beside v1', { ...signed(), 'webhook-signature': `${v1!} ${another!}` }),
    refuse('a test as none', testWithoutHeader),
    refuse('a test with another value', { ...testWithoutHeader, 'webhook-test': 'TRUE' }),
    refuse('no test as a test', { ...signed(), 'webhook-test': 'true' }),
  ];
}

/** The same record as another event. */
export const otherEvent = (): SignedCase =>
  accept('another event', signed({ eventId: '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a11' }));

/** Requests that we never send. Libraries are more lenient here, or read the body as JSON. */
export function oddCases(): readonly SignedCase[] {
  const right = signatureOf(signed());
  return [
    accept('any bytes', signed({ body: bytes }), { body: bytes }),
    accept('no bytes', signed({ body: Buffer.alloc(0) }), { body: Buffer.alloc(0) }),
    accept('among things that are no signatures', { ...signed(), 'webhook-signature': `v2  , v1, dw1, ${right} x` }),

    refuse('a time that is none', { ...signed(), 'webhook-timestamp': 'NaN' }),
    refuse('a time of many digits', { ...signed(), 'webhook-timestamp': '9'.repeat(5_000) }),
    refuse('half a signature', { ...signed(), 'webhook-signature': eachOf(right, (one) => one.slice(0, 24)) }),
    refuse('more than a signature', { ...signed(), 'webhook-signature': eachOf(right, (one) => `${one}A`) }),
    refuse('an empty signature', { ...signed(), 'webhook-signature': '' }),
    refuse('signatures in name only', { ...signed(), 'webhook-signature': 'v1, v1 , dw1, dw1 ,' }),
  ];
}

function accept(title: string, headers: Readonly<Record<string, string>>, rest: Partial<SignedCase> = {}): SignedCase {
  return { title, accepted: true, secret: held, headers, body, ...rest };
}

function refuse(title: string, headers: Readonly<Record<string, string>>, rest: Partial<SignedCase> = {}): SignedCase {
  return accept(title, headers, { accepted: false, ...rest });
}

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(signed()).filter(([header]) => header !== name));
}
