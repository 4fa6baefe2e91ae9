import json


def keep(order):
    with open("orders.json", "a") as file:
        json.dump({"id": order.id, "text": order.text}, file)
