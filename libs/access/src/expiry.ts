import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

const REASON = 'Upkeep takes what has ended from all accounts alike';

/** A spent code is kept a day, and a spent refresh token until it would have ended: a second use must be recognised. */
const PURGES = [
  systemStatement(
    'expiry_codes',
    REASON,
    "delete from authorization_codes where expires_at < $1::timestamptz - interval '1 day'",
  ),
  systemStatement('expiry_tokens', REASON, 'delete from tokens where expires_at < $1'),
  systemStatement(
    'expiry_salts',
    REASON,
    `update tokens set retry_salt = null
     where retry_salt is not null and consumed_at < $1::timestamptz - interval '5 minutes'`,
  ),
  systemStatement('expiry_sessions', REASON, 'delete from sessions where expires_at < $1'),
  systemStatement('expiry_visits', REASON, 'delete from visits where expires_at < $1'),
  systemStatement('expiry_links', REASON, 'delete from single_use_links where expires_at < $1'),
  systemStatement('expiry_throttles', REASON, 'delete from throttles where ends_at < $1'),
];

/** What upkeep removes. Nothing of it is still valid: validity is decided by time when it is asked, not by this. */
@Injectable()
export class Expiry {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async purge(): Promise<void> {
    for (const statement of PURGES) await this.database.system().rows(statement, [this.clock.now()]);
  }
}
