import { type AccountStatement, Transactions } from '#libs/database';
import { type Agent, InvalidField, UNDO_SECONDS } from '#libs/entities';
import { type ActivityDescription, insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { type RequestContext, requireManager } from '../request-context.js';
import {
  READ_PREFERENCES,
  SET_LIST_DENSITY,
  SET_OWN_TIME_ZONE,
  SET_TIME_ZONE,
  SET_UNDO_SENDING,
} from './preference.statements.js';

const UTC = 'UTC';

/** Names that ICU still lists in their older form. The IANA database has both. */
const RENAMED: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** IANA names. */
export const TIME_ZONES: readonly string[] = [
  UTC,
  ...Intl.supportedValuesOf('timeZone')
    .filter((name) => name !== UTC)
    .map((name) => RENAMED[name] ?? name)
    .toSorted(),
];

type PreferenceOwner = Pick<RequestContext, 'accountId' | 'agentId'>;

export interface Preferences extends Pick<Agent, 'signature' | 'mailReplies'> {
  readonly accountTimeZone: string;
  /** Null if the agent uses the time zone of the account. */
  readonly ownTimeZone: string | null;
}

@Injectable()
export class PreferencesService {
  constructor(private readonly transactions: Transactions) {}

  async read({ accountId, agentId }: PreferenceOwner): Promise<Preferences> {
    return (await this.transactions.account({ accountId }).row<Preferences>(READ_PREFERENCES, [agentId]))!;
  }

  /** The height of a row in the ticket list. */
  async setCompactList({ accountId, agentId }: PreferenceOwner, isCompact: boolean): Promise<void> {
    await this.transactions.account({ accountId }).rows(SET_LIST_DENSITY, [agentId, isCompact]);
  }

  /** An empty text selects the time zone of the account. */
  async setOwnTimeZone({ accountId, agentId }: PreferenceOwner, wanted: string): Promise<void> {
    const own = wanted === '' ? null : requireTimeZone(wanted);
    await this.transactions.account({ accountId }).rows(SET_OWN_TIME_ZONE, [agentId, own]);
  }

  setAccountTimeZone(by: RequestContext, wanted: string): Promise<void> {
    requireManager(by);
    const timeZone = requireTimeZone(wanted);
    const activity = { kind: 'time_zone_changed', subject: timeZone, detail: { time_zone: timeZone } };
    return this.setForAccount(by, SET_TIME_ZONE, timeZone, activity);
  }

  /** How long replies wait in the console before they are sent. Applies to replies written from now on. */
  setUndoSending(by: RequestContext, wanted: string): Promise<void> {
    requireManager(by);
    const seconds = UNDO_SECONDS.find((known) => String(known) === wanted);
    if (seconds === undefined) throw new InvalidField('seconds', 'unknown_seconds', 'Choose one of the list.');
    const activity = { kind: 'undo_sending_changed', subject: `${seconds} s`, detail: { seconds } };
    return this.setForAccount(by, SET_UNDO_SENDING, seconds, activity);
  }

  private setForAccount(
    by: RequestContext,
    statement: AccountStatement,
    value: unknown,
    activity: Omit<ActivityDescription, 'ticketId'> & { readonly kind: string },
  ): Promise<void> {
    return this.transactions.run(by, async (tx, now) => {
      if (await tx.row(statement, [value])) await insertActivity(tx, by, { ...activity, ticketId: null }, now);
    });
  }
}

function requireTimeZone(wanted: string): string {
  if (!TIME_ZONES.includes(wanted))
    throw new InvalidField('time_zone', 'unknown_time_zone', 'Choose a time zone of the list.');
  return wanted;
}
