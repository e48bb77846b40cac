import { Database, Transactions } from '#libs/database';
import { InvalidField, UNDO_SECONDS } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { type RequestContext, requireManager } from '../request-context.js';
import {
  READ_TIME_ZONES,
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

/** The height of a row in the ticket list of an agent. */
@Injectable()
export class ListDensityService {
  constructor(private readonly database: Database) {}

  async set({ accountId, agentId }: PreferenceOwner, isCompact: boolean): Promise<void> {
    await this.database.account(accountId).rows(SET_LIST_DENSITY, [agentId, isCompact]);
  }
}

/** How long the replies of an account wait in the console before they are sent. */
@Injectable()
export class UndoSendingService {
  constructor(private readonly transactions: Transactions) {}

  /** Applies to replies written from now on. */
  set(by: RequestContext, wanted: string): Promise<void> {
    requireManager(by);
    const seconds = UNDO_SECONDS.find((known) => String(known) === wanted);
    if (seconds === undefined) throw new InvalidField('seconds', 'unknown_seconds', 'Choose one of the list.');
    return this.transactions.run(by, async (tx, now) => {
      if (!(await tx.row(SET_UNDO_SENDING, [seconds]))) return;
      const activity = { kind: 'undo_sending_changed', ticketId: null, subject: `${seconds} s`, detail: { seconds } };
      await insertActivity(tx, by, activity, now);
    });
  }
}

export interface ChosenTimeZones {
  readonly ofAccount: string;
  /** Null if the agent uses the time zone of the account. */
  readonly own: string | null;
}

/** The time zone in which an agent sees times: their own, or that of the account. */
@Injectable()
export class TimeZonesService {
  constructor(private readonly transactions: Transactions) {}

  async read({ accountId, agentId }: PreferenceOwner): Promise<ChosenTimeZones> {
    const account = this.transactions.account({ accountId });
    return (await account.row<ChosenTimeZones>(READ_TIME_ZONES, [agentId])) ?? { ofAccount: UTC, own: null };
  }

  /** An empty text selects the time zone of the account. */
  async setOwn({ accountId, agentId }: PreferenceOwner, wanted: string): Promise<void> {
    const own = wanted === '' ? null : requireTimeZone(wanted);
    await this.transactions.account({ accountId }).rows(SET_OWN_TIME_ZONE, [agentId, own]);
  }

  setForAccount(by: RequestContext, wanted: string): Promise<void> {
    requireManager(by);
    const timeZone = requireTimeZone(wanted);
    return this.transactions.run(by, async (tx, now) => {
      if (!(await tx.row(SET_TIME_ZONE, [timeZone]))) return;
      const detail = { time_zone: timeZone };
      await insertActivity(tx, by, { kind: 'time_zone_changed', ticketId: null, subject: timeZone, detail }, now);
    });
  }
}

function requireTimeZone(wanted: string): string {
  if (!TIME_ZONES.includes(wanted))
    throw new InvalidField('time_zone', 'unknown_time_zone', 'Choose a time zone of the list.');
  return wanted;
}
