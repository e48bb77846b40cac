import type { Settings } from '#libs/settings';

/** What is asked with each request of a person. In a Cluster all of it is on one server. */
export const requestsKey = ({ QUEUE_PREFIX }: Settings, agentId: string, what: string): string =>
  `${QUEUE_PREFIX}:rate:{${agentId}}:${what}`;
