const DAY_MS = 86_400_000;
/** As far back as what happened is kept, which some answers say. */
const KEPT_MS = 40 * DAY_MS;

/** Headers of answers whose values are times, counters or checksums of what has ids in it. */
const ETAGS = /^(etag|if-match|if-none-match)$/;

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

interface About {
  readonly requestId?: string | undefined;
  readonly bodyLength?: number | undefined;
}

type Rule = readonly [pattern: RegExp, mark: string | ((...found: string[]) => string)];

/**
 * Replaces what two runs cannot have in common. Ids are numbered in the order in which they turn up, so that it still
 * shows which stand for the same thing.
 */
export class Normaliser {
  private readonly ids = new Map<string, string>();
  /** Dates before it were written in the script or the product, and stay. */
  private readonly firstDay: string;

  private readonly rules: readonly Rule[] = [
    [/\bwhsec_[\w+/]{43}=?/g, 'whsec_<secret>'],
    [/\bwhsec_[\w%]{43,}/g, 'whsec_<secret>'],
    [/\bdwp_[\w-]{43}/g, 'dwp_<token>'],
    [/\bv1,[\w+/]{43}=/g, 'v1,<signature>'],
    [/\bpass=[\w-]+/g, 'pass=<pass>'],
    [/\bdeskwire-(visit|known-browser)=[\w.-]+/g, 'deskwire-$1=<cookie>'],
    [/\b(data-version=")[\w-]{15,17}/g, '$1<version>'],
    [/\bwaits [\d.]+ s\b/g, 'waits <n> s'],
    [/\bdeskwire-return-to=\w{8}\.([\w-]+)\.[\w-]+/g, (_all, page = '') => `deskwire-return-to=${this.decoded(page)}`],
    [/\bdeskwire-notice=([\w-]+)/g, (_all, notice = '') => `deskwire-notice=${this.decoded(notice)}`],
    [/\b(data-left-ms=")\d+/g, '$1<ms>'],
    [/\b(name="writer" value=")[\w-]{12}/g, '$1<writer>'],
    [/(<text class="tick" x="|<circle class="bar \w+" cx=")\d+/g, '$1#'],
    [/^(id: \d+)[\w-]{15,16}$/gm, '$1<version>'],
    [/<rect [^>]*><title>[^<]* up to the slowest<\/title><\/rect>/g, ''],
    [/<rect class="bar [^>]*>/g, '<bar>'],
    [/(<title>[\d-]+ [\d:]+: )[\d,.]+( average)?/g, '$1<n>$2'],
    [/\b\d+,\d{3}( MiB)/g, '<n>$1'],
    [/(\+(?:\d+\.)?)[\da-v]{16}\b/g, '$1<reply-token>'],
    [/\bcursor=([\w-]+)/g, (_all, cursor = '') => `cursor=${this.cursor(cursor)}`],
    [/"cursor":"([\w+/=.:-]+)"/g, (_all, cursor = '') => `"cursor":${JSON.stringify(this.cursor(cursor))}`],
    [UUID, (id) => this.idOf(id)],
    [/(uuid#\d+\.uuid#\d+\.)[\da-z]{8}\./g, '$1<time>.'],
    [/(?<![\w-])[\w-]{43}(?![\w-])/g, '<token>'],
    [/(?<![\w-])[\da-f]{64}(?![\w-])/g, '<hex64>'],
    [
      /\b(20\d\d-\d\d-\d\d)(?:([T ])(\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?))?/g,
      (all, day = '') => this.dateOf(all, day),
    ],
    [/\b\w{3}, (\d\d \w{3} 20\d\d) \d\d:\d\d:\d\d (GMT|\+0000)/g, (all, day = '') => this.dateOf(all, isoDay(day))],
    [/\b1[6-9]\d{8}(\d{3})?(\d{3})?\b/g, (all) => '#'.repeat(all.length)],
    [/(?<!\d)(127\.0\.0\.1|localhost|\[::1\])(:|%3A)\d{2,5}\b/g, '$1$2<port>'],
    [/\/assets\/[\da-f]{10}\//g, '/assets/<version>/'],
    [/("|&quot;)resolution_time("|&quot;):( ?)\d+/g, '$1resolution_time$2:$3<seconds>'],
    [/>resolution_time<\/td>.*?<\/tr>/g, (row) => row.replaceAll(/>\d+</g, '><seconds><')],
    [/"duration_ms":\d+/g, '"duration_ms":<ms>'],
    [/<time ([^>]*)>[^<]*<\/time>/g, '<time $1>…</time>'],
    [/\b\d+(\.\d+)? ms\b/g, '<n> ms'],
    [/Try again in \d+ s\./g, 'Try again in <n> s.'],
    [/(private, max-age)=\d+/g, '$1=<seconds>'],
  ];

  constructor(
    now: Date,
    /** What the first run made up, and the name that it is given here. */
    private readonly secrets: ReadonlyMap<string, string>,
  ) {
    this.firstDay = new Date(now.getTime() - KEPT_MS).toISOString().slice(0, 10);
  }

  /** Numbers an id before it turns up. */
  know(id: string): void {
    this.idOf(id);
  }

  /** Without times and ids that were not seen yet: by this two texts can be told apart before either is written down. */
  soFar(text: string): string {
    const timeless = text.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+/g, 'then');
    return timeless.replaceAll(UUID, (id) => this.ids.get(id.toLowerCase()) ?? 'new');
  }

  text(text: string, requestId?: string): string {
    let normal = requestId ? text.replaceAll(requestId, '<request-id>') : text;
    for (const [secret, name] of this.secrets) normal = normal.replaceAll(secret, name);
    for (const [pattern, mark] of this.rules) normal = normal.replace(pattern, mark as string);
    return normal;
  }

  private decoded(value: string): string {
    return this.text(decodeURIComponent(Buffer.from(value, 'base64url').toString()));
  }

  header(name: string, value: string, about: About): string {
    return `${name}: ${this.headerValue(name.toLowerCase(), value, about)}`;
  }

  private headerValue(name: string, value: string, { requestId, bodyLength }: About): string {
    if (ETAGS.test(name)) return value.replaceAll(/"[\w-]{27,36}"/g, '"<etag>"');
    if (name === 'x-request-id' && value === requestId) return '<request-id>';
    if (name === 'content-length') return lengthOf(value, bodyLength);
    if (name === 'deskwire-version') return '<version>';
    if (name === 'ratelimit') return value.replaceAll(/\b([rt])=\d+/g, '$1=<n>');
    if (name === 'retry-after') return value.replaceAll(/\d+/g, '<seconds>');
    return this.text(value, requestId);
  }

  private idOf(id: string): string {
    const known = this.ids.get(id.toLowerCase()) ?? `uuid#${this.ids.size + 1}`;
    this.ids.set(id.toLowerCase(), known);
    return known;
  }

  private dateOf(text: string, day: string): string {
    return day < this.firstDay ? text : text.replaceAll(/\d(?![A-F])/g, '#').replaceAll(/[A-Z][a-z]{2}/g, '@@@');
  }

  /** Lists write down between which rows they are; what they write is shown. The feed of events seals it. */
  private cursor(cursor: string): string {
    const written = Buffer.from(cursor, 'base64url').toString();
    return written.startsWith('[') ? this.text(written) : '<cursor>';
  }
}

const isoDay = (day: string): string => new Date(`${day} UTC`).toISOString().slice(0, 10);

/** It says only how long the body is, and that changes with what was replaced in it; that it is right is what counts. */
function lengthOf(value: string, bodyLength: number | undefined): string {
  if (bodyLength === undefined) return '<length>';
  return Number(value) === bodyLength ? '<length of the body>' : `${value}, and the body has ${bodyLength}`;
}
