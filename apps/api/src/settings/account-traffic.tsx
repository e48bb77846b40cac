import type { AccountTraffic, BacklogHour } from '#libs/webhooks';
import { usePageContext } from '../ui/page-context.js';
import { type Bar, BarChart } from '../ui/parts/bar-chart.js';
import { Pill } from '../ui/parts/indicators.js';
import { RelativeTime, formatDuration } from '../ui/parts/relative-time.js';
import { endsOf, hourLabel, owedWords } from '../webhooks/index.js';

/** Deliveries to the webhooks of the account: what became of them in a day, and what is owed. */
export function AccountTrafficCard({ traffic }: { traffic: AccountTraffic }) {
  const { me } = usePageContext();
  const { total, retrying, waiting, oldestOwedAt, backlog } = traffic;
  return (
    <section class="card stack" aria-labelledby="traffic" id="own-traffic" data-live>
      <h2 id="traffic">{`Deliveries of ${me.account}`}</h2>
      <dl class="facts">
        <dt>In 24 hours</dt>
        <dd class="row">
          <Pill tone={total.delivered > 0 ? 'good' : 'quiet'}>{`${counted(total.delivered)} delivered`}</Pill>
          <Pill tone={total.givenUp > 0 ? 'bad' : 'quiet'}>{`${counted(total.givenUp)} given up`}</Pill>
        </dd>
        <dt>Now</dt>
        <dd class="row">
          <Pill tone={retrying.count > 0 ? 'warn' : 'quiet'}>{`${owedWords(retrying)} retrying`}</Pill>
          <Pill tone={waiting.count > 0 ? 'accent' : 'quiet'}>{`${owedWords(waiting)} waiting`}</Pill>
        </dd>
        <dt>Oldest of them</dt>
        <dd>
          {oldestOwedAt ? <RelativeTime at={oldestOwedAt} /> : '–'}
          {waiting.hasMore && ', or earlier'}
        </dd>
      </dl>
      <div class="charts">
        <BarChart
          title="Backlog in 24 hours"
          parts={[{ name: 'owed at most', tone: 'warn' }]}
          bars={backlog.map((hour) => barOf(hour, hour.owed, me.timeZone))}
          ends={endsOf(backlog, me.timeZone)}
        />
        <BarChart
          title="Age of the oldest in 24 hours"
          parts={[{ name: 'at most', tone: 'accent' }]}
          bars={backlog.map((hour) => barOf(hour, hour.oldestSeconds * 1000, me.timeZone))}
          ends={endsOf(backlog, me.timeZone)}
          words={formatDuration}
        />
      </div>
      <p>
        <a href="/settings/webhooks">All webhooks</a>
      </p>
    </section>
  );
}

const barOf = (hour: BacklogHour, value: number, timeZone: string): Bar => ({
  label: hourLabel(hour, timeZone),
  values: [value],
});

const counted = (count: number): string => count.toLocaleString('en');
