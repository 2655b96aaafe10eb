/** A shop of two pages and a sign-in, for the demo's agent. Nothing that is entered leaves this page. */
const STEPS = ['bouquet', 'delivery', 'sign-in', 'order', 'thanks'] as const;

const forms = [...document.querySelectorAll<HTMLElement>('[data-step]')];
const progress = [...document.querySelectorAll('.progress li')];

/** Returns the values of all fields except the password, by their names. */
function entered(): Record<string, string> {
  const pairs = forms
    .filter((form) => form instanceof HTMLFormElement)
    .flatMap((form) => [...new FormData(form)])
    .filter(([name]) => name !== 'password')
    .map(([name, value]) => [name, typeof value === 'string' ? value : '']);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function show(step: number): void {
  for (const form of forms) form.hidden = form.dataset['step'] !== STEPS[step];
  for (const [at, item] of progress.entries()) {
    item.classList.toggle('reached', at <= step);
    if (at === step) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  }
  if (STEPS[step] === 'order') showOrder();
  const { recipient = '' } = entered();
  const thanks = document.querySelector('.thanks p');
  if (thanks && STEPS[step] === 'thanks')
    thanks.textContent = `Your flowers for ${recipient} are on their way.`;
  scrollTo(0, 0);
}

function showOrder(): void {
  const { bouquet = '', recipient = '', text = '', street = '', city = '', morning, email = '' } = entered();
  const rows = [
    ['Bouquet', bouquet],
    ['For', recipient],
    ['Card', text],
    ['Address', `${street}, ${city}`],
    ['Time', morning === undefined ? 'during the day' : 'in the morning'],
    ['Signed in as', email],
  ];
  document.querySelector('.order')?.replaceChildren(
    ...rows.map(([name = '', value = '']) => {
      const [row, term, description] = ['div', 'dt', 'dd'].map((tag) => document.createElement(tag));
      term?.append(name);
      description?.append(value);
      row?.append(term ?? '', description ?? '');
      return row ?? '';
    }),
  );
}

for (const form of forms)
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show(STEPS.findIndex((step) => step === form.dataset['step']) + 1);
  });
show(0);
