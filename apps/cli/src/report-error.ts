import { MigrationRefused } from '#libs/database';
import { DomainError } from '#libs/entities';
import { InvalidSettings } from '#libs/settings';
import { CommanderError } from 'commander';

const EXIT_FAILED = 1;
const EXIT_WRONG_USAGE = 2;

/** Prints what went wrong and what to do next. Returns the exit code. */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE;
  process.stderr.write(`error: ${errorMessage(error)}\n`);
  return isWrongUsage(error) ? EXIT_WRONG_USAGE : EXIT_FAILED;
}

/** The demonstration parses its arguments with Node’s `parseArgs`. */
const isWrongUsage = (error: unknown): boolean =>
  ((error as { code?: string }).code ?? '').startsWith('ERR_PARSE_ARGS');

function errorMessage(error: unknown): string {
  if (error instanceof DomainError) return `${error.message}${HINTS[error.code] ?? ''}`;
  if (error instanceof InvalidSettings)
    return `${error.message}${error.message.includes('DATABASE_URL must be set') ? DATABASE_HINT : ''}`;
  if (error instanceof MigrationRefused) return error.message;
  const { code = '', syscall, message, stack } = error as NodeJS.ErrnoException;
  if (code === UNDEFINED_TABLE) return 'The database has no tables yet. Run `migrate up` first.';
  // A missing socket of PostgreSQL is ENOENT too.
  if (syscall === 'connect' || UNREACHABLE.test(code))
    return `The database cannot be reached (${message || code}).${ADDRESS_HINT}`;
  if (syscall !== undefined || isWrongUsage(error)) return message;
  return stack ?? String(error);
}

const UNDEFINED_TABLE = '42P01';
const UNREACHABLE =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|EPROTO)$|^(ERR_(TLS|SSL)_|08|28|3D|57P)/;
const ADDRESS_HINT = ' Start the server that DATABASE_URL names, or correct the URL.';
const DATABASE_HINT = ' Set DATABASE_URL, or run `npm run cli -- …` while `npm start` runs.';

const HINTS: Readonly<Record<string, string>> = {
  account_not_found: ' See `accounts list`.',
  agent_not_found: ' Create one with `agents create`.',
  application_not_found: ' See `apps list`.',
  mailbox_not_found: ' See `mailboxes list`.',
  imap_not_found: ' This mailbox does not use IMAP.',
  webhook_not_found: ' See `webhooks list`.',
  token_not_found: ' See `tokens list`.',
};
