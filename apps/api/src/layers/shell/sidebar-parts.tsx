import { MAX_COUNTED_ROWS } from '#libs/lists';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type NavigationEntry, usePageContext } from '../ui/page-context.js';
import { Icon, type IconName } from '../ui/parts/icon.js';

/** The section of the console that a page belongs to, if its address does not show it. */
export const Section = createContext<string | undefined>(undefined);

export function SidebarGroup(props: { title: string; children: ComponentChildren; id?: string; live?: boolean }) {
  const { title, children, id, live = false } = props;
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

/** Current on its page and on the pages below it, or on those under another address. */
export function CurrentPageLink({ under, ...link }: LinkProps & { under?: string }) {
  const { path } = usePageContext();
  const current = `${useContext(Section) ?? path}/`.startsWith(`${under ?? link.href}/`);
  return <SidebarLink {...link} current={current ? 'page' : undefined} />;
}

/** An entry with a count of 0 is hidden. */
export function NavigationLinks({ group }: Pick<NavigationEntry, 'group'>) {
  const { navigation, sidebar } = usePageContext();
  const entries = navigation.filter((entry) => entry.group === group && sidebar.counts[entry.href] !== 0);
  return (
    <>
      {entries.map(({ href, icon, label }) => (
        <CurrentPageLink href={href} icon={icon} label={label} count={sidebar.counts[href]} key={href} />
      ))}
    </>
  );
}

export function SidebarLink({
  href,
  icon,
  label,
  count,
  current,
}: LinkProps & { current: 'page' | 'true' | undefined }) {
  return (
    <a class="item" href={href} aria-current={current}>
      <Icon name={icon} />
      <span class="clip">{label}</span>
      <SidebarCount of={count} />
    </a>
  );
}

export function SidebarCount({ of }: { of: number | undefined }) {
  return of ? (
    <span class="count">
      {of >= MAX_COUNTED_ROWS ? `${MAX_COUNTED_ROWS.toLocaleString('en')}+` : of.toLocaleString('en')}
    </span>
  ) : null;
}
