import { Refusal } from '#libs/entities';
import { InvalidSettings } from '#libs/settings';
import { CommanderError } from 'commander';

const FAILED = 1;
const WRONG_USAGE = 2;

/** What went wrong and what to do next, as a sentence for people; the answer is the exit code. */
export function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  process.stderr.write(`error: ${sentence(error)}\n`);
  return FAILED;
}

function sentence(error: unknown): string {
  if (error instanceof Refusal) return `${error.message}${HINTS[error.code] ?? ''}`;
  if (error instanceof InvalidSettings)
    return `${error.message}${error.message.includes('DATABASE_URL') ? DATABASE : ''}`;
  const { code, message, stack } = error as { code?: string; message?: string; stack?: string };
  if (code === UNDEFINED_TABLE) return 'The database has no tables yet. Run `migrate up` first.';
  if (code && /^(E[A-Z]+|08|28|3D|57P)/.test(code))
    return `The database cannot be reached (${message || code}).${DATABASE}`;
  return stack ?? String(error);
}

const UNDEFINED_TABLE = '42P01';
const DATABASE = ' Set DATABASE_URL, or run `npm run cli -- …` while `npm start` runs.';

const HINTS: Readonly<Record<string, string>> = {
  account_not_found: ' See `accounts list`.',
  agent_not_found: ' Make one with `agents create`.',
  application_not_found: ' See `apps list`.',
  webhook_not_found: ' See `webhooks list`.',
  token_not_found: ' See `tokens list`.',
};
