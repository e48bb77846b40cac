const END = Buffer.from('\r\n.\r\n');
const LINE_END = Buffer.from('\r\n');
const HEADER_BYTES = 16 * 1024;

/** The bytes of one email as they pass. Holds back the end, and reads the id in the header. */
export class MailEnding {
  id: string | null = null;
  /** Lines before the mail end with a line break, so a leading dot is the end of an empty mail. */
  private held: Buffer = LINE_END;
  private head = '';
  private isFirst = true;

  /** The bytes to pass on, and those after the end if it was found. */
  take(chunk: Buffer): { readonly passing: Buffer; readonly behind: Buffer | null } {
    const all = Buffer.concat([this.held, chunk]);
    const at = all.indexOf(END);
    const until = at < 0 ? this.sureOf(all.length - END.length + 1) : at;
    this.held = all.subarray(until);
    const passing = this.withoutTheFirst(all.subarray(0, until));
    this.readHead(passing);
    return { passing, behind: at < 0 ? null : all.subarray(at + END.length) };
  }

  /** The end of a non-empty mail includes the line break of its last line. */
  get end(): Buffer {
    return this.isFirst ? END.subarray(LINE_END.length) : END;
  }

  /**
   * The number of bytes that belong to no end. The line end that we put first is kept whole, and not passed on.
   */
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
