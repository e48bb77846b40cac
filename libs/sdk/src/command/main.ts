#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { listen } from './listen.js';

const HELP = `Forwards the events of Deskwire to a server on your machine, without a tunnel.

  deskwire listen --forward http://localhost:3000/hooks
  npm run listen -- --forward http://localhost:3000/hooks    the same in a checkout of Deskwire

  --forward URL        where to POST each event, signed as a delivery
  --events KINDS       kinds of events, with commas. Default: those of your webhooks, or all if you have none
  --webhook ID         the webhook whose kind and secret to use, if you have several of a kind
  --secret whsec_…     a secret to sign with instead of those of your webhooks
  --since TIME         start at this time, or now. Default: where the last run ended; the first time, now
  --cursor-file PATH   where to store the position. Default: a file in ~/.local/state/deskwire
  --repeat ID          forward one event, by its id or that of a delivery, and end
  --desk URL           the address of Deskwire. Default: DESKWIRE in the environment
  --token TOKEN        an access token with the scopes read and webhooks. Default: TOKEN in the environment

Each event is forwarded once, even if your server refuses it. While nothing listens at the URL, it waits.
`;
const NAMES = ['forward', 'events', 'webhook', 'secret', 'since', 'cursor-file', 'repeat', 'desk', 'token'];

const NEXT_STEPS: Readonly<Record<string, string>> = {
  NetworkFailure: 'Check the address in --desk or DESKWIRE, and that Deskwire runs there.',
  invalid_token: 'Create a personal access token in your profile, and pass it as TOKEN or --token.',
  insufficient_scope: 'Use a token with the scopes read and webhooks. With --secret, read is enough.',
  webhook_not_found: 'List your webhooks with GET /v1/webhooks, or leave out --webhook.',
  event_not_found: 'Pass the id of an event or of a delivery that is still stored.',
  cursor_of_another_history: 'The desk was restored: pass --since with the time of the last event that you have.',
};

/** Returns the exit code. */
async function main([command, ...args]: readonly string[]): Promise<number> {
  const asksForHelp = [command, args[0]].some((word) => word === '--help' || word === '-h');
  if (command !== 'listen' || asksForHelp) return (process.stdout.write(HELP), asksForHelp ? 0 : 2);
  try {
    const options = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' } as const]));
    const { DESKWIRE: desk, TOKEN: token } = process.env;
    return await listen({ desk, token, ...parseArgs({ args, options }).values });
  } catch (error) {
    const { name, code = name, message } = error as Error & { code?: string };
    process.stderr.write(`${message}\n${NEXT_STEPS[code] ?? 'deskwire listen --help explains the options.'}\n`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
