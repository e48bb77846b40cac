/** Whether what agents answer goes to the customer by mail. */
export const REPLIES = [
  { value: 'true', label: 'are mailed' },
  { value: 'false', label: 'are not mailed' },
];
