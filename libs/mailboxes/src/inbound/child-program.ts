import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RunningProgram } from '#libs/pacing';

/**
 * For content that may fill memory outside the heap: a thread would take it from this process. The program limits it.
 * Passes no environment, since the content is untrusted. Drops what V8 prints when it dies, which is not in our log
 * format.
 */
export function startChildProgram(program: string, heapMb: number): RunningProgram<object> {
  const child = fork(program, [], {
    env: {},
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return {
    sender: child,
    send: (work) => child.send(work, (error) => error && child.kill('SIGKILL')),
    ref: () => child.channel?.ref(),
    unref: () => {
      child.unref();
      child.channel?.unref();
    },
    stop: () => kill(child),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.ref();
  child.kill('SIGKILL');
  await exited;
}
