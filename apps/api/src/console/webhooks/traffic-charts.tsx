import {
  type TrafficHour,
  type WebhookTraffic,
  MAX_COUNTED_OWED,
  acceptedPercent,
  averageMs,
  inSpansOf,
} from '#libs/webhooks';
import { type Bar, BarChart, type BarPart, Sparkline } from '../../pages/parts/bar-chart.js';
import { Pill } from '../../pages/parts/indicators.js';
import { RelativeTime, formatDuration } from '../../pages/parts/relative-time.js';

const DAY = 24;
/** Hours of one bar of seven days. */
const SPAN = 6;

const OUTCOMES: readonly BarPart[] = [
  { name: 'delivered', tone: 'good' },
  { name: 'retrying', tone: 'warn' },
  { name: 'given up', tone: 'bad' },
];

const TIMES: readonly BarPart[] = [
  { name: 'average', tone: 'accent' },
  { name: 'up to the slowest', tone: 'quiet' },
];

/** What became of attempts lately, counted as it happened. */
export function TrafficSection({ traffic }: { traffic: WebhookTraffic }) {
  const week = inSpansOf(SPAN, traffic.hours);
  const day = traffic.hours.slice(-DAY);
  return (
    <section class="card stack" aria-labelledby="traffic-title" id="traffic" data-live>
      <div class="row apart">
        <h2 id="traffic-title">What became of it</h2>
        <OwedNow traffic={traffic} />
      </div>
      <div class="charts">
        <BarChart title="Last 24 hours" parts={OUTCOMES} bars={day.map(outcomeBar)} ends={endsOf(day)} />
        <BarChart title="Last 7 days" parts={OUTCOMES} bars={week.map(outcomeBar)} ends={endsOf(week)} />
        <BarChart
          title="Response times"
          parts={TIMES}
          bars={day.map(timeBar)}
          ends={endsOf(day)}
          words={formatDuration}
        />
      </div>
      <p class="quiet small">Counted by attempts, by the hour, in UTC.</p>
    </section>
  );
}

/** What goes out again by itself, and when. */
function OwedNow({ traffic: { retrying, waiting, nextAttemptAt } }: { traffic: WebhookTraffic }) {
  return (
    <p class="row">
      <Pill tone={retrying > 0 ? 'warn' : 'quiet'}>{`${owedWords(retrying)} retrying now`}</Pill>
      {waiting > 0 && <Pill tone="accent">{`${owedWords(waiting)} waiting`}</Pill>}
      {nextAttemptAt && (
        <span class="quiet small">
          next try <RelativeTime at={nextAttemptAt} />
        </span>
      )}
    </p>
  );
}

/** A day in the list of webhooks: in bars, in per cent, and in the three words. */
export function TrafficOfDay({ traffic }: { traffic: WebhookTraffic }) {
  const { total, retrying, hours } = traffic;
  const percent = acceptedPercent(total);
  const rate = percent === null ? 'no attempts' : `${percent} % accepted`;
  return (
    <span class="lines stack">
      <span class="row nowrap">
        <Sparkline label={`Last 24 hours: ${rate}`} parts={OUTCOMES} bars={hours.map(outcomeBar)} />
        <span class="quiet small nowrap-text">{rate}</span>
      </span>
      <span class="row nowrap number">
        <Pill tone={total.delivered > 0 ? 'good' : 'quiet'}>{`${total.delivered} delivered`}</Pill>
        <Pill tone={retrying > 0 ? 'warn' : 'quiet'}>{`${owedWords(retrying)} retrying`}</Pill>
        <Pill tone={total.givenUp > 0 ? 'bad' : 'quiet'}>{`${total.givenUp} given up`}</Pill>
      </span>
    </span>
  );
}

export const owedWords = (count: number): string =>
  count >= MAX_COUNTED_OWED ? `${MAX_COUNTED_OWED.toLocaleString('en')} or more` : count.toLocaleString('en');

const outcomeBar = (hour: TrafficHour): Bar => ({
  label: hourLabel(hour),
  values: [hour.delivered, hour.retried, hour.givenUp],
});

function timeBar(hour: TrafficHour): Bar {
  const average = Math.round(averageMs(hour) ?? 0);
  return { label: hourLabel(hour), values: [average, Math.max(0, hour.longestMs - average)] };
}

export const hourLabel = ({ hour }: { hour: Date }): string => hour.toISOString().slice(5, 16).replace('T', ' ');

export function endsOf(hours: readonly { hour: Date }[]): [string, string] {
  return [hours.length > 0 ? hourLabel(hours[0]!) : '', 'now'];
}
