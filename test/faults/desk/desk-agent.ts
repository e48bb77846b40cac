import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient, type ApiResponse } from '#test/support/api-client.js';
import type { SeededChoices } from '#test/support/seeded-choices.js';
import type { Page, Person } from '../../oauth/support/person.js';
import type { MailSystem } from '../mail/mail-system.js';
import type { DeskLedger, Written } from './desk-ledger.js';
import { type Author, type DeskPeople, MAILBOX } from './desk-people.js';

export interface DeskTicket {
  readonly number: number;
  readonly customer: string;
  readonly isMerged: boolean;
}

/** Mostly live tickets; a merged one stands for a page that was loaded before. */
const MERGED_SHARE = 0.1;
const SAME_CUSTOMER_SHARE = 0.6;

export interface DeskStage {
  readonly system: MailSystem;
  readonly people: DeskPeople;
  readonly ledger: DeskLedger;
}

/** An agent who works at both APIs, over REST and in the console. */
export class DeskAgent {
  constructor(
    private readonly stage: DeskStage,
    private readonly me: Author,
    private readonly choices: SeededChoices,
  ) {}

  async act(): Promise<void> {
    const { choices, stage } = this;
    const tickets = await ticketsOf(stage.system);
    const shown = tickets.filter(({ isMerged }) => isMerged === choices.isLikely(MERGED_SHARE));
    if (shown.length < 2) return;
    const ticket = choices.pick(shown);
    const drawn = choices.between(0, 100);
    if (drawn < 30) return this.reply(ticket);
    if (drawn < 40) return this.replyOverRest(ticket);
    if (drawn < 54) return this.mention(ticket);
    if (drawn < 66) return this.assign(ticket);
    if (drawn < 92) return this.merge(ticket, tickets);
    return this.forward(ticket);
  }

  /** A reply waits for an undo, or for a time a few seconds ahead. */
  private async reply({ number, customer }: DeskTicket): Promise<void> {
    const { choices, ledger, system } = this.all();
    const cc = choices.isLikely(0.25);
    const one = ledger.add('reply', number, (place) => [customer, ...(cc ? [copyOf(place)] : [])]);
    const isScheduled = choices.isLikely(0.35);
    ledger.count(isScheduled ? 'replies for later' : 'replies');
    const fields = {
      kind: 'reply',
      // Each page has another.
      writer: randomUUID(),
      body: `${one.mark} It is on its way.`,
      more_cc: one.recipients.slice(1).join(),
    };
    const later = isScheduled ? { send_at: inHours(2) } : {};
    const page = await this.person()
      .act(`/tickets/${number}/messages`, { ...fields, ...later })
      .catch(() => null);
    one.outcome = outcomeOf(page);
    one.trace.push(
      `${new Date().toISOString()} ${this.me.email} posted ${isScheduled ? 'for later' : ''} to #${number}: ${page?.status} ${page?.location}`,
    );
    const [held] = await system.sql<{ id: string; number: number }>(
      `select h.id, t.number from held_replies h join tickets t on t.id = h.ticket_id where h.body like '${one.mark} %'`,
    );
    one.trace.push(held ? `held ${held.id} on #${held.number}` : 'not held');
    if (!held) return;
    const seconds = choices.between(1, 8).toFixed(1);
    if (isScheduled)
      await system.sql(`update held_replies set due_at = now() + interval '${seconds} s' where id = '${held.id}'`);
    if (choices.isLikely(0.35)) await this.undo(one, `/tickets/${held.number}/replies/${held.id}/undo`);
  }

  private async undo(one: Written, path: string): Promise<void> {
    const { choices, ledger } = this.all();
    await delay(choices.between(0, 3_500));
    const person = this.person();
    ledger.count('undos of replies');
    one.undone = 'unknown';
    const page = await person.act(path).catch(() => null);
    one.trace.push(`${new Date().toISOString()} undo: ${page?.status} ${page?.location}`);
    const shown = page?.location && (await person.get(page.location).catch(() => null));
    if (!shown || shown.status !== 200) return;
    one.undone = /Sending undone|No longer scheduled/.test(shown.html) ? 'yes' : 'no';
  }

  private async replyOverRest({ number, customer }: DeskTicket): Promise<void> {
    const { choices, ledger } = this.all();
    const cc = choices.isLikely(0.25);
    const one = ledger.add('reply', number, (place) => [customer, ...(cc ? [copyOf(place)] : [])]);
    ledger.count('replies over REST');
    await this.post(one, number, { body: `${one.mark} Done.`, cc: one.recipients.slice(1) });
  }

  private async mention({ number }: DeskTicket): Promise<void> {
    const { choices, ledger, people } = this.all();
    const named = [...new Set([choices.pick(people.active), choices.pick(people.active)])];
    const noticed = named.filter((email) => email !== this.me.email);
    if (!ledger.reserve(noticed)) return;
    const silent = choices.isLikely(0.5) ? [choices.pick(people.silent)] : [];
    const handles = [...named.map((email) => (choices.isLikely(0.5) ? email : email.split('@')[0]!)), ...silent];
    const one = ledger.add('note', number, () => noticed);
    ledger.count('notes with mentions');
    await this.post(one, number, {
      body: `${one.mark} ${handles.map((name) => `@${name}`).join(' ')} secret`,
      note: true,
    });
  }

  /** Repeats the call until its outcome is certain. */
  private async post(one: Written, number: number, body: object): Promise<void> {
    for (;;) {
      const answer = await this.rest((client) =>
        client.post(`/v1/tickets/${number}/messages`, body, { 'idempotency-key': one.mark }),
      );
      const error = answer?.body?.error as string | undefined;
      if (answer?.status === 201 || error === 'outcome_unknown') {
        one.outcome = answer?.status === 201 ? 'accepted' : 'unknown';
        return;
      }
      if (error === 'merged') return void (one.outcome = 'refused');
      if (answer && answer.status < 500 && answer.status !== 409) throw new Error(answer.text);
      await delay(200);
    }
  }

  private async assign({ number }: DeskTicket): Promise<void> {
    const { choices, ledger, people } = this.all();
    const group = choices.isLikely(0.3) ? choices.pick(people.groups) : undefined;
    const assignee = choices.pick(people.active);
    const recipients = (group?.members ?? [assignee]).filter((email) => email !== this.me.email);
    const assignment = ledger.assign(number, recipients);
    if (!assignment) return;
    ledger.count('assignments');
    for (let tries = 0; assignment.outcome === 'unknown'; tries++) {
      const answer = await this.rest((client) =>
        client.patch(`/v1/tickets/${number}`, group ? { assigned_group: group.name } : { assignee }),
      );
      if (answer?.status === 200) assignment.outcome = 'accepted';
      else if (answer?.body?.error === 'merged') {
        // An earlier try may have taken effect before the merge.
        if (tries === 0) assignment.outcome = 'refused';
        return;
      } else if (answer && answer.status < 500) throw new Error(answer.text);
      else await delay(200);
    }
  }

  private async merge(ticket: DeskTicket, tickets: readonly DeskTicket[]): Promise<void> {
    const { choices, ledger } = this.all();
    const others = tickets.filter(({ number, isMerged }) => number !== ticket.number && !isMerged);
    const ofSame = others.filter(({ customer }) => customer === ticket.customer);
    const { number: into } = choices.pick(ofSame.length > 0 && choices.isLikely(SAME_CUSTOMER_SHARE) ? ofSame : others);
    ledger.join(ticket.number, into);
    ledger.count('merges');
    if (choices.isLikely(0.2))
      return void (await this.rest((client) => client.post(`/v1/tickets/${ticket.number}/merge`, { into })));
    const person = this.person();
    const fields = { do: 'merge', tickets: `${ticket.number},${into}`, into: `${into}`, back: 'folder=open' };
    const done = await person.act('/tickets/bulk', fields).catch(() => null);
    const page = done?.location && (await person.get(done.location).catch(() => null));
    const kept = page && /name="kept" value="([^"]+)"/.exec(page.html)?.[1];
    if (!kept || choices.isLikely(0.4)) return;
    await delay(choices.between(0, 4_000));
    ledger.count('undos of merges');
    await this.person()
      .act('/tickets/undo', { kept, back: 'folder=open' })
      .catch(() => null);
  }

  private async forward({ number }: DeskTicket): Promise<void> {
    const { choices, ledger, system } = this.all();
    const person = this.person();
    const form = await person.get(`/tickets/new?forward=${number}`).catch(() => null);
    const conversation = form && /<textarea[^>]*name="body"[^>]*>([^<]*)/.exec(form.html)?.[1];
    if (form?.status !== 200 || !conversation) return;
    const one = ledger.add('forward', null, (place) => [`outside-${place}@vendor.test`]);
    ledger.count('forwarded tickets');
    const fields = {
      to: one.recipients[0]!,
      subject: 'Fwd: A question',
      body: `${one.mark}\n\n${conversation}`,
      mailbox: MAILBOX,
    };
    const page = await person
      .act('/tickets', { ...fields, forward: `${number}`, forwarded: `${number}` })
      .catch(() => null);
    one.outcome = outcomeOf(page);
    if (!choices.isLikely(0.3)) return;
    const [held] = await system.sql<{ id: string }>(
      `select id from held_replies where new_ticket->>'body' like '${one.mark}%'`,
    );
    if (held) await this.undo(one, `/tickets/new/${held.id}/undo`);
  }

  private person(): Person {
    return this.choices.pick(this.me.persons);
  }

  private rest(work: (client: ApiClient) => Promise<ApiResponse>): Promise<ApiResponse | null> {
    return work(new ApiClient(this.choices.pick(this.stage.system.apis).base, this.me.token)).catch(() => null);
  }

  private all() {
    return { choices: this.choices, ...this.stage };
  }
}

export const ticketsOf = (system: MailSystem): Promise<DeskTicket[]> =>
  system.sql<DeskTicket>(
    `select t.number, c.email as customer, t.merged_into_id is not null as "isMerged"
     from tickets t join customers c on c.id = t.customer_id order by t.number`,
  );

const copyOf = (place: number): string => `copy-${place}@client.test`;

/** As a `datetime-local` field sends it. The account is in UTC. */
const inHours = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);

const outcomeOf = (page: Page | null): Written['outcome'] => {
  if (!page || page.status >= 500) return 'unknown';
  return page.status === 303 ? 'accepted' : 'refused';
};
