import { CardLayout } from './layout.js';
import type { PageContent } from './page-response.js';

const TITLES: Readonly<Record<number, string>> = {
  403: 'That is not allowed',
  404: 'Nothing here',
  429: 'Too many attempts',
  503: 'Not available just now',
};

/** From these a person goes on at home. */
const WITH_WAY_HOME = new Set([403, 404, 405, 409]);

/** Its only link leads home: an address in the request may be hostile. */
export function errorPage(
  status: number,
  explanation: string,
  title = TITLES[status] ?? 'That did not work',
): PageContent {
  const view = (
    <CardLayout title={title}>
      <p data-explanation>{explanation}</p>
      {WITH_WAY_HOME.has(status) && (
        <p>
          <a href="/">Go to the inbox</a>
        </p>
      )}
    </CardLayout>
  );
  return { view, status };
}

export function tooManyAttemptsPage(retryAfterSeconds: number): PageContent {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const page = errorPage(429, `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`);
  return { ...page, retryAfterSeconds };
}
