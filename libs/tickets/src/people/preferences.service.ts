import { type AccountStatement, Transactions } from '#libs/database';
import { Agent, InvalidField, MAIL_ABOUT, UNDO_SECONDS } from '#libs/entities';
import { type ActivityDescription, insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { type RequestContext, requireManager } from '../request-context.js';
import {
  SET_ASSISTANTS_SENDING,
  SET_TIME_ZONE,
  SET_UNDO_SENDING,
  type Preferences,
  readPreferences,
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

@Injectable()
export class PreferencesService {
  constructor(private readonly transactions: Transactions) {}

  read({ accountId, agentId }: PreferenceOwner): Promise<Preferences> {
    return readPreferences(this.transactions.account({ accountId }), agentId);
  }

  /** An empty text selects the time zone of the account. */
  async setOwnTimeZone({ accountId, agentId }: PreferenceOwner, wanted: string): Promise<void> {
    const timeZone = wanted === '' ? null : requireTimeZone(wanted);
    await this.transactions.run({ accountId }, (tx) => tx.repository(Agent).update({ id: agentId }, { timeZone }));
  }

  async setMailAbout({ accountId, agentId }: PreferenceOwner, wanted: readonly string[]): Promise<void> {
    const mailAbout = MAIL_ABOUT.filter((reason) => wanted.includes(reason));
    await this.transactions.run({ accountId }, (tx) => tx.repository(Agent).update({ id: agentId }, { mailAbout }));
  }

  setAccountTimeZone(by: RequestContext, wanted: string): Promise<void> {
    requireManager(by);
    const timeZone = requireTimeZone(wanted);
    const activity = { kind: 'time_zone_changed', subject: timeZone, detail: { time_zone: timeZone } };
    return this.setForAccount(by, [SET_TIME_ZONE, timeZone], activity);
  }

  /** How long replies wait in the console before they are sent. Applies to replies written from now on. */
  setUndoSending(by: RequestContext, wanted: string): Promise<void> {
    requireManager(by);
    const seconds = UNDO_SECONDS.find((known) => String(known) === wanted);
    if (seconds === undefined) throw new InvalidField('seconds', 'unknown_seconds', 'Choose one from the list.');
    const activity = { kind: 'undo_sending_changed', subject: `${seconds} s`, detail: { seconds } };
    return this.setForAccount(by, [SET_UNDO_SENDING, seconds], activity);
  }

  /** Whether programs that act for an agent over MCP may send replies instead of drafting them. */
  setAssistantsSending(by: RequestContext, isAllowed: boolean): Promise<void> {
    requireManager(by);
    const subject = isAllowed ? 'allowed' : 'not allowed';
    const activity = { kind: 'assistants_sending_changed', subject, detail: { allowed: isAllowed } };
    return this.setForAccount(by, [SET_ASSISTANTS_SENDING, isAllowed], activity);
  }

  private setForAccount(
    by: RequestContext,
    [statement, value]: readonly [AccountStatement, unknown],
    activity: ActivityDescription & { readonly kind: string },
  ): Promise<void> {
    return this.transactions.run(by, async (tx, now) => {
      if (await tx.row(statement, [value])) await insertActivity(tx, by, activity, now);
    });
  }
}

function requireTimeZone(wanted: string): string {
  if (!TIME_ZONES.includes(wanted))
    throw new InvalidField('time_zone', 'unknown_time_zone', 'Choose a time zone from the list.');
  return wanted;
}
