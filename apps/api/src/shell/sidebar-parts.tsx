import { MAX_COUNTED_ROWS } from '#libs/lists';
import type { ComponentChildren } from 'preact';
import { iconUrl, titleWithUnread } from '../ui/layout.js';
import { usePageContext } from '../ui/page-context.js';
import { Icon, type IconName } from '../ui/parts/icon.js';

interface GroupProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly id?: string;
  readonly live?: boolean;
}

export function Group({ title, children, id, live = false }: GroupProps) {
  return (
    <section class="rail-group" aria-label={title} id={id} data-live={live || undefined}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface LinkProps {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Current on its page and on the pages below it. */
export function PageItem({ section, ...link }: LinkProps & { section?: string | undefined }) {
  const { path } = usePageContext();
  const current = `${section ?? path}/`.startsWith(`${link.href}/`);
  return <Item {...link} current={current ? 'page' : undefined} />;
}

export function Item({ href, icon, label, count, current }: LinkProps & { current: 'page' | 'true' | undefined }) {
  return (
    <a class="item" href={href} aria-current={current}>
      <Icon name={icon} />
      <span class="clip">{label}</span>
      <Count of={count} />
    </a>
  );
}

export function Count({ of }: { of: number | undefined }) {
  return of ? (
    <span class="count">
      {of >= MAX_COUNTED_ROWS ? `${MAX_COUNTED_ROWS.toLocaleString('en')}+` : of.toLocaleString('en')}
    </span>
  ) : null;
}

/** Title and icon of the tab, for the script to set when the page is refreshed. */
export function UnreadMark() {
  const { unread } = usePageContext();
  return <span id="unread" data-title={titleWithUnread('', unread)} data-icon={iconUrl(unread)} hidden />;
}
