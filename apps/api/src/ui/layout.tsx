import type { ComponentChildren } from 'preact';
import { assetUrl } from './assets.js';
import { iconUrl, titleWithUnread } from './unread.js';

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

interface DocumentProps extends CardProps {
  readonly theme?: 'system' | 'light' | 'dark';
  readonly scripts?: boolean;
  /** One script alone, on a page that needs no other. */
  readonly script?: 'reference.js';
  /** Tickets that wait to be read, told by the title and the icon. */
  readonly unread?: number;
}

/** The frame of every page. Styles and scripts come from our own files, because the policy allows nothing inline. */
export function HtmlDocument(props: DocumentProps) {
  const { title, children, theme = 'system', scripts = false, script, unread = 0 } = props;
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{titleWithUnread(`${title} · Deskwire`, unread)}</title>
        <link rel="stylesheet" href={assetUrl('console.css')} />
        <link rel="icon" href={iconUrl(unread)} type="image/svg+xml" />
        {scripts && <Scripts />}
        {script && <script src={assetUrl(script)} type="module" />}
      </head>
      <body>{children}</body>
    </html>
  );
}

/** When a part is updated, open elements stay open, and what was new when the page was opened stays marked. */
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
      <script src={assetUrl('htmx.js')} defer />
      {/* First, because a form waits with being sent until its draft is saved. */}
      <script src={assetUrl('drafts.js')} type="module" />
      <script src={assetUrl('files.js')} type="module" />
      <script src={assetUrl('console.js')} type="module" />
      <script src={assetUrl('keyboard.js')} type="module" />
      <script src={assetUrl('live.js')} type="module" />
      <script src={assetUrl('search.js')} type="module" />
      <script src={assetUrl('suggestions.js')} type="module" />
      <script src={assetUrl('thread.js')} type="module" />
      <script src={assetUrl('toasts.js')} type="module" />
    </>
  );
}

/** One centred card, for pages that ask one thing of people who may not be signed in. */
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

/** Stands above the fields. Screen readers read it out at once. */
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
        // Preact has a type for each type of input, and tsc insists on it, unlike the linter.
        // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
        type={type as 'text'}
        required
        maxLength={320}
        {...(minLength && { minLength })}
        {...(hint && { 'aria-describedby': `${name}-hint` })}
        {...input}
      />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Proves that a form came from our page in this browser. */
export function CsrfField({ token }: { readonly token: string }) {
  return <input type="hidden" name="csrf" value={token} />;
}
