import type { ComponentChildren } from 'preact';
import { SCRIPTS, assetUrl, readAsset } from './assets.js';

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

interface DocumentProps extends CardProps {
  readonly theme?: 'system' | 'light' | 'dark';
  readonly scripts?: boolean;
  readonly script?: 'reference.js';
  /** A number on the title and the icon of the tab. */
  readonly badge?: number;
}

/** The content security policy allows no inline styles or scripts. */
export function HtmlDocument(props: DocumentProps) {
  const { title, children, theme = 'system', scripts = false, script, badge = 0 } = props;
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{titleWithBadge(`${title} · Deskwire`, badge)}</title>
        <link rel="stylesheet" href={assetUrl('console.css')} />
        <link rel="icon" href={iconUrl(badge)} type="image/svg+xml" />
        {scripts && <Scripts />}
        {script && <script src={assetUrl(script)} type="module" />}
      </head>
      <body>{children}</body>
    </html>
  );
}

export const MAX_BADGE = 99;

export const titleWithBadge = (title: string, badge: number): string =>
  badge > 0 ? `(${badgeText(badge)}) ${title}` : title;

const badgeText = (badge: number): string => (badge > MAX_BADGE ? `${MAX_BADGE}+` : String(badge));

export const iconUrl = (badge: number): string => (badge > 0 ? iconWithBadge(badge) : assetUrl('icon.svg'));

/** The icon of the tab with a number in its corner. */
function iconWithBadge(badge: number): string {
  const circle = `<circle cx="21" cy="11" r="11" fill="#b3202f"/><text x="21" y="17" font-family="sans-serif"
    font-weight="700" font-size="${badge > 9 ? 14 : 17}" text-anchor="middle" fill="#fff">${Math.min(badge, MAX_BADGE)}</text>`;
  const svg = readAsset('icon.svg').replace('</svg>', `${circle.replace(/\s+/g, ' ')}</svg>`);
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Refreshed parts keep open elements open, and keep the marks of unread messages. */
const HTMX_CONFIG = {
  includeIndicatorCSS: false,
  history: 'reload',
  mode: 'same-origin',
  morphIgnore: ['data-htmx-powered', 'data-unread', 'open'],
};

function Scripts() {
  return (
    <>
      <meta name="htmx-config" content={JSON.stringify(HTMX_CONFIG)} />
      {/* Before the page is parsed, so that it misses no key. */}
      <script src={assetUrl('held-keys.js')} />
      <script src={assetUrl('htmx.js')} defer />
      {SCRIPTS.map((name) => (
        <script src={assetUrl(`${name}.js`)} type="module" key={name} />
      ))}
    </>
  );
}

export function CardLayout({ title, children }: CardProps) {
  return (
    <HtmlDocument title={title}>
      <main class="card-page">
        <p class="brand">Deskwire</p>
        <section class="card" aria-labelledby="card-title">
          <h1 id="card-title">{title}</h1>
          {children}
        </section>
      </main>
    </HtmlDocument>
  );
}

export const CardLink = ({ to, text }: { to: string; text: string }) => (
  <p>
    <a href={to}>{text}</a>
  </p>
);

export function Alert({ children }: { readonly children?: ComponentChildren }) {
  return children ? (
    <p class="alert" role="alert">
      {children}
    </p>
  ) : null;
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'search';
  readonly value?: string;
  readonly autocomplete?: string;
  readonly inputmode?: 'numeric';
  readonly hint?: string;
  readonly minLength?: number;
  readonly autofocus?: boolean;
}

export function CardField({ label, name, type = 'text', hint, minLength, ...input }: FieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        // Preact’s types require it, which the linter does not see.
        // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
        type={type as 'text'}
        required
        maxLength={320}
        {...(minLength && { minLength })}
        {...(hint && { 'aria-describedby': `${name}-hint` })}
        {...input}
      />
      {hint && (
        <p class="quiet small" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function CsrfField({ token }: { readonly token: string }) {
  return <input type="hidden" name="csrf" value={token} />;
}
