import { type Counted, MAX_COUNTED_ROWS } from '#libs/lists';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type NavigationEntry, usePageContext } from '../ui/page-context.js';
import { Icon, type IconName } from '../ui/parts/icon.js';

/** The section of the console that a page belongs to, if its address does not show it. */
export const Section = createContext<string | undefined>(undefined);

/** Refreshed live if it has an id. */
export function SidebarGroup(props: { title: string; children: ComponentChildren; id?: string; hidden?: boolean }) {
  const { title, children, id, hidden } = props;
  return (
    <section class="rail-group" aria-label={title} id={id} data-live={id && true} hidden={hidden}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface LinkProps {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly count?: number | Counted | undefined;
}

/** Current on its page and on the pages below it, or on those under another address. */
export function CurrentPageLink({ under, ...link }: LinkProps & { under?: string }) {
  const { path } = usePageContext();
  const current = `${useContext(Section) ?? path}/`.startsWith(`${under ?? link.href}/`);
  return <SidebarLink {...link} current={current} />;
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

interface SidebarLinkProps extends LinkProps {
  readonly current: boolean;
  readonly title?: string;
  readonly 'data-folder'?: string;
  readonly 'data-view'?: string | undefined;
}

export function SidebarLink({ icon, label, count, current, ...attributes }: SidebarLinkProps) {
  return (
    <a class="item" aria-current={current ? 'page' : undefined} {...attributes}>
      <Icon name={icon} />
      <bdi class="clip">{label}</bdi>
      <SidebarCount of={count} />
    </a>
  );
}

function SidebarCount({ of = 0 }: { of: LinkProps['count'] }) {
  const { total, capped } = typeof of === 'number' ? { total: of, capped: of >= MAX_COUNTED_ROWS } : of;
  if (total === 0 && !capped) return null;
  return <span class="count">{`${total.toLocaleString('en')}${capped ? '+' : ''}`}</span>;
}
