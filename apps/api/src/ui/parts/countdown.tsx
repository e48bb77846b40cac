import { usePageContext } from '../page-context.js';

const SECOND_MS = 1000;

export const secondsUntil = (until: Date, now: Date): number =>
  Math.max(0, Math.ceil((until.getTime() - now.getTime()) / SECOND_MS));

interface CountdownProps {
  readonly until: Date;
  /** Text before the seconds, such as “Goes out in”. */
  readonly before: string;
  /** Text shown when the time is over. */
  readonly over: string;
}

/** Shows the seconds left. A script counts down; without one, the number stays as rendered. */
export function Countdown({ until, before, over }: CountdownProps) {
  const { now } = usePageContext();
  const seconds = secondsUntil(until, now);
  return (
    <span data-left-ms={Math.max(0, until.getTime() - now.getTime())} data-before={before} data-over={over}>
      {seconds > 0 ? `${before} ${seconds} s` : over}
    </span>
  );
}
