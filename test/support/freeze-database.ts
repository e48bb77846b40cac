import type { Client } from 'pg';
import type { PrivateServer } from './servers.js';

/** Stops the server, which then accepts no connection, and the processes of the product's sessions. */
export async function freezeDatabase(
  { sql, server }: { readonly sql: Pick<Client, 'query'>; readonly server: Pick<PrivateServer, 'pause'> },
  ms: number,
): Promise<void> {
  const { rows } = await sql.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name like 'deskwire-%'",
  );
  const paused = server.pause(ms);
  for (const { pid } of rows) signal(pid, 'SIGSTOP');
  await paused;
  for (const { pid } of rows) signal(pid, 'SIGCONT');
}

/** A session may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
