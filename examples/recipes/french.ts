import { addTranslation } from 'cloud-browser/element';

addTranslation('fr', {
  label: 'Navigateur distant',
  connecting: 'Connexion…',
  reconnecting: 'Connexion perdue. Nouvel essai…',
  stay: 'Rester',
  'warning.inactive': 'Personne n’utilise ce navigateur. Il se ferme dans {time}.',
  'inactive.title': 'Session terminée',
  'step.start': 'Recommencer',
  'files.title': 'Fichiers',
  'files.count.one': '{count} fichier',
  'files.count.other': '{count} fichiers',
});
