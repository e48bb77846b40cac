import type { Attempt, Delivery } from '#libs/entities';
import { RelativeTime, formatDuration } from '../layers/ui/parts/relative-time.js';
import { NextTry, type WebhookPace, nextAttemptOf, nextTryAt } from './delivery-parts.js';
import { attemptText, nextAttemptText } from './webhook-text.js';

/** Keeps the page small. The API has the full bodies. */
const MAX_BODY_SHOWN = 1_000;

const SHOWN_ATTEMPTS = 3;

const WIDTH = 640;
const HEIGHT = 56;
const MARGIN = 16;
const LINE = 24;

interface TimelineProps {
  readonly delivery: Delivery;
  readonly attempts: readonly Attempt[];
  readonly webhook: WebhookPace;
}

/** Logarithmic, because the first attempts are close together. */
export function AttemptTimeline({ delivery, attempts, webhook }: TimelineProps) {
  const earlier = attempts.slice(0, -SHOWN_ATTEMPTS);
  return (
    <section class="card stack" aria-labelledby="attempts-title" id="attempts" data-live>
      <h2 id="attempts-title">Attempts</h2>
      {attempts.length === 0 ? (
        <p class="quiet">None yet.</p>
      ) : (
        <>
          <TimeLine delivery={delivery} attempts={attempts} webhook={webhook} />
          {earlier.length > 0 && (
            <details>
              <summary>{earlier.length === 1 ? 'First attempt' : `First ${earlier.length} attempts`}</summary>
              <AttemptLines attempts={earlier} />
            </details>
          )}
          <AttemptLines attempts={attempts.slice(-SHOWN_ATTEMPTS)} />
        </>
      )}
    </section>
  );
}

function AttemptLines({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <ol class="attempts">
      {attempts.map((attempt) => (
        <AttemptLine attempt={attempt} key={attempt.id} />
      ))}
    </ol>
  );
}

function TimeLine({ delivery, attempts, webhook }: TimelineProps) {
  const begin = delivery.createdAt.getTime();
  const planned = nextAttemptOf(delivery);
  const next = nextTryAt(planned, webhook);
  const times = [...attempts.map(({ startedAt }) => startedAt), ...(next ? [next] : [])];
  const longest = Math.max(1000, ...times.map((at) => at.getTime() - begin));
  const position = (at: Date): number => positionOf(at.getTime() - begin, longest);
  const name = `Time line: ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`;
  return (
    <div class="time-line">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={next ? `${name}, and when the next is due` : name}>
        <line class="axis" x1={MARGIN} x2={WIDTH - MARGIN} y1={LINE} y2={LINE} />
        {TICKS.filter(({ ms }) => ms < longest).map(({ ms, label }) => (
          <text class="tick" x={positionOf(ms, longest)} y={HEIGHT - 6} key={label}>
            {label}
          </text>
        ))}
        {attempts.map((attempt) => (
          <circle class={`bar ${toneOf(attempt)}`} cx={position(attempt.startedAt)} cy={LINE} r="6" key={attempt.id} />
        ))}
        {next && <circle class="next" cx={position(next)} cy={LINE} r="6" />}
      </svg>
      {planned && (
        <p class="small">
          The next attempt is due <NextTry planned={planned} webhook={webhook} />.
        </p>
      )}
    </div>
  );
}

const TICKS = [
  { ms: 1_000, label: '1 s' },
  { ms: 60_000, label: '1 min' },
  { ms: 3_600_000, label: '1 h' },
  { ms: 86_400_000, label: '1 d' },
  { ms: 259_200_000, label: '3 d' },
] as const;

function positionOf(ms: number, longest: number): number {
  const share = Math.log1p(Math.max(0, ms) / 1000) / Math.log1p(longest / 1000);
  return Math.round(MARGIN + share * (WIDTH - 2 * MARGIN));
}

function toneOf({ nextReason }: Attempt): string {
  if (nextReason === null) return 'good';
  return nextReason === 'exhausted' || nextReason === 'gone' ? 'bad' : 'warn';
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { number, startedAt, durationMs, errorDetail, nextReason } = attempt;
  return (
    <li>
      <details>
        <summary>
          <strong>{`Attempt ${number}`}</strong> <RelativeTime at={startedAt} />{' '}
          <span class="quiet number">{`took ${formatDuration(durationMs)}`}</span> {attemptText(attempt)}
        </summary>
        <div class="stack">
          {errorDetail && <p class="mono quiet break">{errorDetail}</p>}
          {nextReason && <p class="quiet small">{nextAttemptText(nextReason)}</p>}
          <ResponseBody attempt={attempt} />
        </div>
      </details>
    </li>
  );
}

function ResponseBody({ attempt: { number, status, responseBody } }: { attempt: Attempt }) {
  if (!responseBody)
    return <p class="quiet small">{status === null ? 'No response.' : `Status ${status} with an empty body.`}</p>;
  const shown = responseBody.slice(0, MAX_BODY_SHOWN);
  return (
    <pre class="answer" tabIndex={0} aria-label={`Response to attempt ${number}`}>
      {shown === responseBody ? shown : `${shown}…`}
    </pre>
  );
}
