import { usePageContext } from '../page-context.js';

const SECOND_MS = 1000;

export const secondsUntil = (until: Date, now: Date): number =>
  Math.max(0, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS));

interface CountdownProps {
  readonly until: Date;
  /** What stands before the seconds: “Goes out in”. */
  readonly before: string;
  /** What stands there when they are over. */
  readonly over: string;
}

/** The seconds that are left. A script counts on; without one they are those of when the page was drawn. */
export function Countdown({ until, before, over }: CountdownProps) {
  const { now } = usePageContext();
  const seconds = secondsUntil(until, now);
  return (
    <span data-left-ms={Math.max(0, until.getTime() - now.getTime())} data-before={before} data-over={over}>
      {seconds > 0 ? `${before} ${seconds} s` : over}
    </span>
  );
}
