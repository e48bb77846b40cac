import { Clock, Database, accountStatement } from '#libs/database';
import { InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { randomToken } from './secrets.js';

/** Argon2id (the library's default algorithm) with OWASP's first recommendation: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const SHORTEST = 10;
const LONGEST = 200;

/** Whoever still sits in an old session, or holds a link from before, is out with the old password. */
const SET = accountStatement(
  'password_set',
  `with changed as (
     update agents set password_hash = $3, updated_at = $4,
       state = case state when 'invited' then 'active' else state end
     where account_id = $1 and id = $2
   ), signed_out as (
     delete from sessions where account_id = $1 and agent_id = $2
   )
   delete from single_use_links where account_id = $1 and agent_id = $2`,
);

@Injectable()
export class PasswordsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async set(accountId: string, agentId: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(validatePassword(password));
    await this.database.account(accountId).rows(SET, [agentId, passwordHash, this.clock.now()]);
  }
}

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

let decoy: Promise<string> | undefined;

/** Takes as long for nobody as for somebody, so that the time of an answer tells nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomToken());
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}

export function validatePassword(password: string): string {
  if (password.length < SHORTEST)
    throw new InvalidField('password', 'too_short', `A password has at least ${SHORTEST} characters.`);
  if (password.length > LONGEST)
    throw new InvalidField('password', 'too_long', `A password has at most ${LONGEST} characters.`);
  return password;
}
