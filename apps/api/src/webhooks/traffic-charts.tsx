import {
  type TrafficCount,
  type TrafficHour,
  type WebhookTraffic,
  type OwedCount,
  acceptedPercent,
  averageMs,
  inSpansOf,
} from '#libs/webhooks';
import { usePageContext } from '../layers/ui/page-context.js';
import { inTimeZone } from '../layers/ui/zoned-time.js';
import { type Bar, BarChart, type BarPart, Sparkline } from '../layers/ui/parts/bar-chart.js';
import { Pill } from '../layers/ui/parts/indicators.js';
import { formatDuration } from '../layers/ui/parts/relative-time.js';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { NextTry, type WebhookPace } from './delivery-parts.js';

const DAY_HOURS = 24;
const BAR_HOURS = 6;

const OUTCOMES: readonly BarPart[] = [
  { name: 'delivered', tone: 'good' },
  { name: 'will retry', tone: 'warn' },
  { name: 'given up', tone: 'bad' },
];

const TIMES: readonly BarPart[] = [
  { name: 'average', tone: 'accent' },
  { name: 'slowest', tone: 'quiet' },
];

interface Period {
  readonly name: string;
  readonly total: TrafficHour | undefined;
}

const totalColumn = (name: string, textOf: (total: TrafficHour) => string | number | null): Column<Period> => ({
  name,
  class: 'number',
  cell: ({ total }) => (total && textOf(total)) ?? '–',
});

const TOTALS: readonly Column<Period>[] = [
  { name: 'Period', cell: ({ name }) => name },
  totalColumn('Delivered', ({ delivered }) => delivered),
  totalColumn('Failed attempts', ({ retried, givenUp }) => retried + givenUp),
  totalColumn('Given up', ({ givenUp }) => givenUp),
  totalColumn('Accepted', (total) => acceptedText(total)),
  totalColumn('Average response', (total) => durationOf(averageMs(total))),
  totalColumn('Slowest', (total) => durationOf(averageMs(total) && total.longestMs)),
];

const durationOf = (ms: number | null): string | null => (ms === null ? null : formatDuration(ms));

export function TrafficSection({ traffic, webhook }: { traffic: WebhookTraffic; webhook: WebhookPace }) {
  const { timeZone } = usePageContext().me;
  const day = traffic.hours.slice(-DAY_HOURS);
  return (
    <section class="card stack" aria-labelledby="traffic-title" id="traffic" data-live>
      <div class="row apart">
        <h2 id="traffic-title">Delivery results</h2>
        <OwedNow traffic={traffic} webhook={webhook} />
      </div>
      <div class="charts">
        <BarChart title="Last 24 hours" {...outcomesOf(day, timeZone)} />
        <BarChart title="Last 7 days" {...outcomesOf(inSpansOf(BAR_HOURS, traffic.hours), timeZone)} />
        <BarChart
          title="Response times"
          parts={TIMES}
          bars={day.map((hour) => timeBar(hour, timeZone))}
          ends={endsOf(day, timeZone)}
          words={formatDuration}
        />
      </div>
      <p class="quiet small">Attempts per hour, in {timeZone}.</p>
      <Table caption="Totals" columns={TOTALS} rows={periodsOf(traffic.hours)} />
    </section>
  );
}

const periodsOf = (hours: readonly TrafficHour[]): Period[] => [
  { name: 'Last 24 hours', total: inSpansOf(DAY_HOURS, hours.slice(-DAY_HOURS))[0] },
  { name: 'Last 7 days', total: inSpansOf(hours.length, hours)[0] },
];

function OwedNow({ traffic, webhook }: { traffic: WebhookTraffic; webhook: WebhookPace }) {
  const { retrying, waiting, nextAttemptAt } = traffic;
  return (
    <p class="row">
      {retrying.count > 0 && <Pill tone="warn">{`${owedText(retrying)} retrying now`}</Pill>}
      {waiting.count > 0 && <Pill tone="accent">{`${owedText(waiting)} waiting`}</Pill>}
      {nextAttemptAt && (
        <span class="quiet small">
          next try <NextTry planned={nextAttemptAt} webhook={webhook} />
        </span>
      )}
    </p>
  );
}

export function TrafficOfDay({ traffic }: { traffic: WebhookTraffic }) {
  const { total, retrying, hours } = traffic;
  const { timeZone } = usePageContext().me;
  const accepted = acceptedText(total);
  const rate = accepted === null ? 'no attempts' : `${accepted} accepted`;
  return (
    <span class="row nowrap number" title={rate}>
      <Sparkline label={`Last 24 hours: ${rate}`} {...outcomesOf(hours, timeZone)} />
      {total.delivered > 0 && <Pill tone="good">{`${total.delivered} delivered`}</Pill>}
      {retrying.count > 0 && <Pill tone="warn">{`${owedText(retrying)} retrying`}</Pill>}
      {total.givenUp > 0 && <Pill tone="bad">{`${total.givenUp} given up`}</Pill>}
    </span>
  );
}

function acceptedText(total: TrafficCount): string | null {
  const percent = acceptedPercent(total);
  return percent === null ? null : `${percent}%`;
}

export const owedText = ({ count, hasMore }: OwedCount): string =>
  hasMore ? `${count.toLocaleString('en')} or more` : count.toLocaleString('en');

const outcomesOf = (hours: readonly TrafficHour[], timeZone: string) => ({
  parts: OUTCOMES,
  bars: hours.map((hour) => ({
    label: hourLabel(hour, timeZone),
    values: [hour.delivered, hour.retried, hour.givenUp],
  })),
  ends: endsOf(hours, timeZone),
});

function timeBar(hour: TrafficHour, timeZone: string): Bar {
  const average = Math.round(averageMs(hour) ?? 0);
  const values = [average, Math.max(0, hour.longestMs - average)];
  return { label: hourLabel(hour, timeZone), values, shown: [average, hour.longestMs] };
}

export function hourLabel({ hour }: { hour: Date }, timeZone: string): string {
  const { date, time } = inTimeZone(hour, timeZone);
  return `${date.slice(5)} ${time.slice(0, 5)}`;
}

export function endsOf(hours: readonly { hour: Date }[], timeZone: string): [string, string] {
  return [hours.length > 0 ? hourLabel(hours[0]!, timeZone) : '', 'now'];
}
