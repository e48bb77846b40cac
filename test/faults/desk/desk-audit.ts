import { ApiClient } from '#test/support/api-client.js';
import type { NextHop, ReceivedMail } from '#test/support/next-hop.js';
import { walkPages } from '#test/support/pages.js';
import type { DeskStage } from './desk-agent.js';
import { ALL_MARKS, type Assignment, MARK, type Written } from './desk-ledger.js';

export interface DeskWitnesses extends DeskStage {
  readonly hop: NextHop;
  /** Ids of emails that a worker had handed over when it was killed. */
  readonly inHand: ReadonlySet<string>;
}

export interface DeskAudit {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** In the wrong ticket, to the wrong person, of an undone reply, or with the text of a note. */
  readonly wrong: readonly string[];
  readonly unsureNotThere: number;
  readonly withheld: number;
}

interface Place {
  readonly ticket: number;
  readonly message: string;
}

interface QueuedMail {
  readonly id: string;
  readonly state: string;
  readonly recipient: string;
  readonly about: string | null;
  readonly message: string | null;
  readonly ticket: number | null;
}

/** Replies and messages are read over REST and mails at their receiver; drafts and states of mails in the database. */
export async function auditDesk(witnesses: DeskWitnesses): Promise<DeskAudit> {
  return new DeskAuditor(
    witnesses,
    await readTickets(witnesses),
    await readDrafts(witnesses),
    await readMails(witnesses),
  ).result();
}

class DeskAuditor {
  private readonly lost: string[] = [];
  private readonly twice: string[] = [];
  private readonly wrong: string[];
  private unsureNotThere = 0;
  private withheld = 0;

  constructor(
    private readonly witnesses: DeskWitnesses,
    private readonly tickets: TicketsRead,
    private readonly drafts: ReadonlyMap<string, number>,
    private readonly mails: readonly QueuedMail[],
  ) {
    this.wrong = [...tickets.problems];
  }

  result(): DeskAudit {
    const { ledger } = this.witnesses;
    for (const one of ledger.written.values()) {
      this.checkPlace(one);
      this.checkRecipients(one);
    }
    for (const assignment of ledger.assignments) this.checkAssignment(assignment);
    for (const mail of this.witnesses.hop.taken) this.checkReceived(mail);
    for (const { id, state, recipient } of this.mails)
      if (state === 'unsure' && !this.witnesses.inHand.has(id))
        this.wrong.push(`unsure without a kill: ${id} to ${recipient}`);
    const { lost, twice, wrong, unsureNotThere, withheld } = this;
    return { lost, twice, wrong, unsureNotThere, withheld };
  }

  /** In one message or draft. */
  private checkPlace({ mark, kind, outcome, undone, ticket, trace }: Written): void {
    const places = this.tickets.places.get(mark) ?? [];
    const drafts = this.drafts.get(mark) ?? 0;
    if (places.length + drafts > 1) this.twice.push(`${mark}: in ${places.length} messages and ${drafts} drafts`);
    if (outcome === 'accepted' && places.length + drafts === 0)
      this.lost.push(`${mark}: in no message; ${trace.join('; ')}`);
    if (outcome === 'accepted' && drafts > 0 && kind !== 'reply' && undone === 'no') this.lost.push(`${mark}: a draft`);
    if (outcome === 'refused' && places.length > 0) this.wrong.push(`${mark}: refused, but in a message`);
    if (undone === 'yes' && places.length > 0) this.wrong.push(`${mark}: undone, but in a message`);
    const { ledger } = this.witnesses;
    for (const place of places)
      if (ticket !== null && ledger.familyOf(place.ticket) !== ledger.familyOf(ticket))
        this.wrong.push(`${mark}: written to #${ticket}, but in #${place.ticket}`);
  }

  /** Each recipient of a message got it once. Without a message there is no email. */
  private checkRecipients({ mark, kind, recipients, undone }: Written): void {
    const [place] = this.tickets.places.get(mark) ?? [];
    const received = this.witnesses.hop.taken.filter((mail) => markOf(mail) === mark).map(({ to }) => to);
    if (!place || undone === 'yes') {
      if (received.length > 0) this.wrong.push(`${mark}: in no message, but mailed to ${received.join()}`);
      return;
    }
    const strangers = received.filter((to) => !recipients.includes(to));
    if (strangers.length > 0)
      this.wrong.push(`${mark}: mailed to ${strangers.join()}, not only to ${recipients.join()}`);
    for (const recipient of recipients) {
      const queued = this.mails.filter((mail) => mail.message === place.message && mail.recipient === recipient);
      this.checkTimes(`${mark} to ${recipient}`, received.filter((to) => to === recipient).length, queued);
    }
    if (kind === 'mail' && received.length > 0) this.wrong.push(`${mark}: a customer’s mail went out`);
  }

  private checkTimes(name: string, times: number, queued: readonly QueuedMail[]): void {
    if (times > 1) this.twice.push(`${name}: mailed ${times} times`);
    if (times > 0) return;
    if (queued.some(({ state }) => state === 'unsure')) this.unsureNotThere += 1;
    else this.lost.push(`${name}: not mailed (${queued.map(({ state }) => state).join() || 'not queued'})`);
  }

  private checkAssignment({ ticket, recipients, outcome }: Assignment): void {
    const about = this.witnesses.hop.taken.filter((mail) => isAssignmentOf(mail, ticket)).map(({ to }) => to);
    const strangers = about.filter((to) => !recipients.includes(to));
    if (strangers.length > 0 || (outcome === 'refused' && about.length > 0))
      this.wrong.push(`assignment of #${ticket}: mailed to ${about.join()}, not only to ${recipients.join()}`);
    for (const recipient of recipients) {
      const times = about.filter((to) => to === recipient).length;
      const queued = this.mails.filter(
        (mail) => mail.ticket === ticket && mail.about !== 'mentions' && mail.recipient === recipient,
      );
      // Merged away before a worker came to it, the ticket is not the agent’s any more.
      const isWithheld = queued.some(({ state }) => state === 'failed') && this.witnesses.ledger.isMerged(ticket);
      if (times === 0 && isWithheld) this.withheld += 1;
      else if (times > 0 || outcome === 'accepted')
        this.checkTimes(`assignment of #${ticket} to ${recipient}`, times, queued);
    }
  }

  private checkReceived(mail: ReceivedMail): void {
    const { to, parsed } = mail;
    const text = `${parsed.subject} ${parsed.text} ${parsed.html ?? ''}`;
    const { ledger } = this.witnesses;
    if (to.endsWith('@acme.test')) {
      const isKnown =
        parsed.text?.includes('mentioned you in a note:') ||
        ledger.assignments.some(({ ticket }) => isAssignmentOf(mail, ticket));
      if (!isKnown) this.wrong.push(`an unexpected email to ${to}: ${parsed.subject}`);
      return;
    }
    const marks = [...text.matchAll(ALL_MARKS)].map(([mark]) => mark);
    if (marks.length === 0) this.wrong.push(`an email without a known text to ${to}: ${parsed.subject}`);
    for (const mark of new Set(marks)) {
      if (mark.startsWith('note-')) this.wrong.push(`${mark}: the text of a note went to ${to}`);
      if (ledger.written.get(mark)?.undone === 'yes') this.wrong.push(`${mark}: undone, but its text went to ${to}`);
    }
  }
}

/** The text of the mail begins with that of its message; others may be quoted below it. */
const markOf = ({ to, parsed }: ReceivedMail): string | undefined => {
  const text = parsed.text ?? '';
  if (to.endsWith('@acme.test') && !text.includes('mentioned you in a note:')) return undefined;
  return MARK.exec(text)?.[0];
};

const isAssignmentOf = ({ to, parsed }: ReceivedMail, ticket: number): boolean =>
  to.endsWith('@acme.test') &&
  parsed.subject?.startsWith(`#${ticket} `) === true &&
  parsed.text?.includes('assigned this ticket to you') === true;

interface TicketsRead {
  readonly places: ReadonlyMap<string, readonly Place[]>;
  readonly problems: readonly string[];
}

async function readTickets({ system }: DeskWitnesses): Promise<TicketsRead> {
  const client = new ApiClient(system.apis[0]!.base, system.account.owner.token);
  const places = new Map<string, Place[]>();
  const problems: string[] = [];
  const [{ last }] = (await system.sql<{ last: number }>('select max(number) as last from tickets')) as [
    { last: number },
  ];
  let messages = 0;
  for (let ticket = 1; ticket <= last; ticket++) {
    const { status, headers, body } = await client.get(`/v1/tickets/${ticket}`);
    if (status === 301) {
      const other = await client.get(headers.get('location')!);
      if (other.status !== 200) problems.push(`#${ticket}: merged into a ticket that answers ${other.status}`);
      continue;
    }
    if (status === 404) continue;
    const { records } = await walkPages(client, `/v1/tickets/${ticket}/messages?per_page=100`);
    messages += records.length;
    if (body.ticket.message_count !== records.length)
      problems.push(`#${ticket}: says ${body.ticket.message_count} messages and has ${records.length}`);
    for (const { id, plain_text_body: text } of records) {
      const mark = MARK.exec(text)?.[0] ?? '';
      places.set(mark, [...(places.get(mark) ?? []), { ticket, message: id }]);
    }
  }
  const [{ stored }] = (await system.sql<{ stored: number }>('select count(*)::int as stored from messages')) as [
    { stored: number },
  ];
  if (stored !== messages) problems.push(`${stored} messages, of which live tickets show ${messages}`);
  return { places, problems };
}

async function readDrafts({ system }: DeskWitnesses): Promise<Map<string, number>> {
  const rows = await system.sql<{ body: string }>(
    `select body from drafts union all select new_ticket->>'body' from held_replies where new_ticket is not null`,
  );
  const marks = rows.flatMap(({ body }) =>
    // A forwarded conversation quotes others.
    body.startsWith('forward-') ? [MARK.exec(body)![0]] : [...body.matchAll(ALL_MARKS)].map(([mark]) => mark),
  );
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

const readMails = ({ system }: DeskWitnesses): Promise<QueuedMail[]> =>
  system.sql<QueuedMail>(
    `select o.id, o.state, o.recipient, o.detail->>'about' as about, t.number as ticket,
       coalesce(o.message_id::text, o.copy_of::text, o.detail->>'message') as message
     from outgoing_mails o left join tickets t on t.id = (o.detail->>'ticket')::uuid`,
  );
