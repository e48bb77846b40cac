export interface StoredMail {
  readonly uid: number;
  readonly raw: Buffer;
  readonly date: Date;
  /** The size that the server reports, if wrong. */
  readonly claimedSize?: number;
}

/** The emails of one folder, and their description by the server. */
export class Folder {
  uidValidity = 1;
  uidNext = 1;
  mails: StoredMail[] = [];
  private readonly listeners = new Set<() => void>();

  add(raw: string | Buffer, { date = new Date(), claimedSize }: { date?: Date; claimedSize?: number } = {}): number {
    const uid = this.uidNext++;
    const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
    this.mails.push({ uid, raw: bytes, date, ...(claimedSize !== undefined && { claimedSize }) });
    for (const listener of this.listeners) listener();
    return uid;
  }

  /** Like a restored server: the same emails under other numbers. */
  renumber(from = 1): void {
    this.uidValidity++;
    this.mails = this.mails.map((mail, place) => ({ ...mail, uid: from + place }));
    this.uidNext = from + this.mails.length;
  }

  onMail(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  search(criteria: string): number[] {
    const [, range] = /^UID (\S+)/i.exec(criteria) ?? [];
    const [, since] = /SINCE (\S+)/i.exec(criteria) ?? [];
    return this.mails
      .filter(({ uid }) => range === undefined || this.isIn(uid, range))
      .filter(({ date }) => since === undefined || date >= new Date(since))
      .map(({ uid }) => uid);
  }

  inRange(range: string): StoredMail[] {
    return this.mails.filter(({ uid }) => this.isIn(uid, range));
  }

  private isIn(uid: number, range: string): boolean {
    const last = this.mails.at(-1)?.uid ?? 0;
    return range.split(',').some((part) => {
      const [from, to] = part.split(':').map((end) => (end === '*' ? last : Number(end)));
      return to === undefined ? uid === from : uid >= Math.min(from!, to) && uid <= Math.max(from!, to);
    });
  }
}

const quoted = (text: string | undefined): string =>
  text === undefined ? 'NIL' : `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;

/** `"05-Mar-2020 10:00:00 +0000"` */
export function internalDateOf({ date }: StoredMail): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(date.toUTCString())!;
  return `"${day}-${month}-${year} ${time} +0000"`;
}

/** Omits most fields, since no client here reads them. */
export function envelopeOf({ raw }: StoredMail): string {
  const header = raw.toString('latin1').split('\r\n\r\n', 1)[0]!;
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(header)?.[1];
  const [, mailbox, host] = /([^<\s]+)@([^>\s]+)/.exec(field('From') ?? '') ?? [];
  const from = mailbox ? `((NIL NIL ${quoted(mailbox)} ${quoted(host)}))` : 'NIL';
  const ids = [quoted(field('In-Reply-To')), quoted(field('Message-ID'))];
  return `(${quoted(field('Date'))} ${quoted(field('Subject'))} ${from} ${from} ${from} NIL NIL NIL ${ids.join(' ')})`;
}
