"""The gateway to language models. Everything above speaks in the values of `ports.py`; what providers say stays in here.

gateway.py          which models a person may use for an operation, ready to be called
configuration.py    what a mandate has set up: stored (store.py) and from the environment (environment.py)
connection.py       a provider with its address and key
offers.py           the models of a configuration; prices.py what they cost; chains.py in which order they are tried
call_payment.py     pays for questions that belong to no run
model_factory.py    from an offer to a model; provider_client.py the HTTP client behind it
model_providers.py  people add and change providers (provider_input.py checks what they enter, remote_models.py asks the
                    provider)
model_choices.py    people choose models; price_list.py people set prices
model_catalogue.py  people bring the catalogue up to date (catalogue_input.py checks what they enter, revision_store.py
                    keeps it)
detection.py        model servers on this machine; private_addresses.py whether these may be reached
model_names.py      what a model's name tells of it: its size, and whether it talks
catalogue/          what is known of the providers' models, as data
embeddings/         texts as vectors: the static model that is always there, and those of providers
providers/          how the values of `ports.py` travel; embedded/ the model that is always there; testing/ one by script
"""
