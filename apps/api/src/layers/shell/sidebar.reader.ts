import type { Me } from '../sign-in/me.decorator.js';
import type { SidebarContent } from '../ui/page-context.js';

/** Loads what the sidebar shows for a page. The nouns provide it. */
export abstract class SidebarReader {
  abstract read(me: Me, path: string): Promise<SidebarContent>;
}
