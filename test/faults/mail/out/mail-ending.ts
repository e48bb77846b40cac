const END = Buffer.from('\r\n.\r\n');
const LINE_END = Buffer.from('\r\n');
const HEADER_BYTES = 16 * 1024;

/** The bytes of one mail as they pass. Its end is held back, and the id that it has in its header is read. */
export class MailEnding {
  id: string | null = null;
  /** The lines before the mail end with one, so a dot that comes first is the end of an empty mail. */
  private held: Buffer = LINE_END;
  private head = '';
  private isFirst = true;

  /** What may be passed on, and what came behind the end if that was in it. */
  take(chunk: Buffer): { readonly passing: Buffer; readonly behind: Buffer | null } {
    const all = Buffer.concat([this.held, chunk]);
    const at = all.indexOf(END);
    const until = at < 0 ? this.sureOf(all.length - END.length + 1) : at;
    this.held = all.subarray(until);
    const passing = this.withoutTheFirst(all.subarray(0, until));
    this.readHead(passing);
    return { passing, behind: at < 0 ? null : all.subarray(at + END.length) };
  }

  /** Of a mail that is not empty, the end of its last line belongs to it. */
  get end(): Buffer {
    return this.isFirst ? END.subarray(LINE_END.length) : END;
  }

  /** How many bytes are no part of an end. Those of the line that we began with are passed on in one piece, to nobody. */
  private sureOf(bytes: number): number {
    return bytes < LINE_END.length && this.isFirst ? 0 : Math.max(0, bytes);
  }

  private withoutTheFirst(bytes: Buffer): Buffer {
    if (!this.isFirst || bytes.length === 0) return bytes;
    this.isFirst = false;
    return bytes.subarray(LINE_END.length);
  }

  private readHead(bytes: Buffer): void {
    if (this.id !== null || this.head.length > HEADER_BYTES) return;
    this.head += bytes.toString('latin1');
    this.id = /^message-id:\s*<([^@>]+)@/im.exec(this.head)?.[1] ?? null;
  }
}
