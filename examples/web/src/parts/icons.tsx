const shapes = {
  up: 'M12 5l7 8h-4.5v6h-5v-6H5z',
  down: 'M12 19l-7-8h4.5V5h5v6H19z',
  reply: 'M9 8V4L2 11l7 7v-4c5 0 9 1.500 12 6-.5-7-4-12-12-12z',
  bell: 'M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6zm-2 16a2 2 0 0 0 4 0z',
  mark: 'M6 3h12v18l-6-4.500-6 4.500z',
  pen: 'M4 20l1-5L16 4l4 4L9 19z',
  talk: 'M4 4h16v12H9l-5 4z',
  home: 'M3 11l9-8 9 8v10h-6v-6H9v6H3z',
  fire: 'M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 2 3 4 1-2 2-4 1-9z',
  list: 'M4 6h16v2H4zm0 5h16v2H4zm0 5h10v2H4z',
  lock: 'M6 11V8a6 6 0 0 1 12 0v3h1v10H5V11zm3 0h6V8a3 3 0 0 0-6 0z',
  pulse: 'M2 12h5l3-8 4 16 3-8h5',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
} as const;

export type IconName = keyof typeof shapes;
const outlined: IconName[] = ['pulse', 'theme'];

export const Icon = ({ name }: { name: IconName }) => (
  <svg className={outlined.includes(name) ? 'icon line' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={shapes[name]} />
  </svg>
);
