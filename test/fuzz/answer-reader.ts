import { gunzipSync } from 'node:zlib';

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

interface Head {
  readonly status: number;
  readonly headers: Map<string, string>;
}

/** A body ends after its length, with an empty chunk, or with the connection. */
type Framing =
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'until closed' };

export class AnswerReader {
  readonly answers: Answer[] = [];
  private left: Buffer = Buffer.alloc(0);
  private head: Head | undefined;
  private body: Buffer[] = [];

  /** Responses to HEAD have no body. */
  constructor(private readonly methods: readonly string[]) {}

  push(bytes: Buffer): void {
    this.left = this.left.length === 0 ? bytes : Buffer.concat([this.left, bytes]);
    while (this.step());
  }

  /** The bytes when the connection closes, which may end a response. */
  close(): void {
    if (!this.head || this.framing().kind !== 'until closed') return;
    this.complete(this.left);
    this.left = Buffer.alloc(0);
  }

  get started(): Answer | undefined {
    return this.head && { ...this.head, body: '' };
  }

  get isWithinAnswer(): boolean {
    return this.head !== undefined || this.left.length > 0;
  }

  /** Returns whether there may be more to read at once. */
  private step(): boolean {
    if (!this.head) return this.readHead();
    const framing = this.framing();
    if (framing.kind === 'chunks') return this.readChunk();
    if (framing.kind === 'until closed' || this.left.length < framing.length) return false;
    this.complete(this.left.subarray(0, framing.length));
    this.left = this.left.subarray(framing.length);
    return true;
  }

  private readHead(): boolean {
    const end = this.left.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [first = '', ...lines] = this.left.subarray(0, end).toString('latin1').split('\r\n');
    this.left = this.left.subarray(end + 4);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
    const pairs = lines.map(
      (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
    );
    // 100 Continue is no final response.
    if (status !== 100) this.head = { status, headers: new Map(pairs) };
    return true;
  }

  private framing(): Framing {
    const { status, headers } = this.head!;
    const method = this.methods[Math.min(this.answers.length, this.methods.length - 1)];
    if (method === 'HEAD' || status === 204 || status === 304) return { kind: 'length', length: 0 };
    if (headers.get('transfer-encoding') === 'chunked') return { kind: 'chunks' };
    const length = headers.get('content-length');
    return length === undefined ? { kind: 'until closed' } : { kind: 'length', length: Number(length) };
  }

  private readChunk(): boolean {
    const end = this.left.indexOf('\r\n');
    if (end < 0) return false;
    const length = Number.parseInt(this.left.subarray(0, end).toString('latin1'), 16);
    const whole = end + 2 + length + 2;
    if (this.left.length < whole) return false;
    this.body.push(this.left.subarray(end + 2, end + 2 + length));
    this.left = this.left.subarray(whole);
    if (length === 0) this.complete(Buffer.concat(this.body));
    return true;
  }

  private complete(bytes: Buffer): void {
    const { status, headers } = this.head!;
    const zipped = headers.get('content-encoding') === 'gzip' && bytes.length > 0;
    this.answers.push({ status, headers, body: (zipped ? gunzipSync(bytes) : bytes).toString('utf8') });
    this.head = undefined;
    this.body = [];
  }
}
